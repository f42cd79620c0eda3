/* What the installed headers say of each structure and constant that is mirrored, a line each. */
#define _GNU_SOURCE
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/socket.h>

#include <infiniband/ib.h>
#include <infiniband/sa.h>
#include <infiniband/verbs.h>
#include <rdma/rdma_cma.h>

#define STRUCT(type) printf("struct " #type " size %zu alignment %zu\n", sizeof(struct type), _Alignof(struct type))
#define FIELD(type, field) \
	printf(#type "." #field " at %zu size %zu\n", offsetof(struct type, field), sizeof(((struct type *)0)->field))
#define CONSTANT(name) printf(#name " %lld\n", (long long)(name))

int main(void)
{
	STRUCT(sockaddr_in);
	FIELD(sockaddr_in, sin_family);
	FIELD(sockaddr_in, sin_port);
	FIELD(sockaddr_in, sin_addr);
	FIELD(sockaddr_in, sin_zero);
	STRUCT(sockaddr_in6);
	FIELD(sockaddr_in6, sin6_family);
	FIELD(sockaddr_in6, sin6_port);
	FIELD(sockaddr_in6, sin6_flowinfo);
	FIELD(sockaddr_in6, sin6_addr);
	FIELD(sockaddr_in6, sin6_scope_id);
	STRUCT(sockaddr_ib);
	FIELD(sockaddr_ib, sib_family);
	FIELD(sockaddr_ib, sib_pkey);
	FIELD(sockaddr_ib, sib_flowinfo);
	FIELD(sockaddr_ib, sib_addr);
	FIELD(sockaddr_ib, sib_sid);
	FIELD(sockaddr_ib, sib_sid_mask);
	FIELD(sockaddr_ib, sib_scope_id);
	STRUCT(ibv_path_record);
	FIELD(ibv_path_record, service_id);
	FIELD(ibv_path_record, dgid);
	FIELD(ibv_path_record, sgid);
	FIELD(ibv_path_record, dlid);
	FIELD(ibv_path_record, slid);
	FIELD(ibv_path_record, flowlabel_hoplimit);
	FIELD(ibv_path_record, tclass);
	FIELD(ibv_path_record, reversible_numpath);
	FIELD(ibv_path_record, pkey);
	FIELD(ibv_path_record, qosclass_sl);
	FIELD(ibv_path_record, mtu);
	FIELD(ibv_path_record, rate);
	FIELD(ibv_path_record, packetlifetime);
	FIELD(ibv_path_record, preference);
	FIELD(ibv_path_record, reserved);
	STRUCT(ibv_path_data);
	FIELD(ibv_path_data, flags);
	FIELD(ibv_path_data, reserved);
	FIELD(ibv_path_data, path);
	STRUCT(rdma_addrinfo);
	FIELD(rdma_addrinfo, ai_flags);
	FIELD(rdma_addrinfo, ai_family);
	FIELD(rdma_addrinfo, ai_qp_type);
	FIELD(rdma_addrinfo, ai_port_space);
	FIELD(rdma_addrinfo, ai_src_len);
	FIELD(rdma_addrinfo, ai_dst_len);
	FIELD(rdma_addrinfo, ai_src_addr);
	FIELD(rdma_addrinfo, ai_dst_addr);
	FIELD(rdma_addrinfo, ai_src_canonname);
	FIELD(rdma_addrinfo, ai_dst_canonname);
	FIELD(rdma_addrinfo, ai_route_len);
	FIELD(rdma_addrinfo, ai_route);
	FIELD(rdma_addrinfo, ai_connect_len);
	FIELD(rdma_addrinfo, ai_connect);
	FIELD(rdma_addrinfo, ai_next);

	CONSTANT(AF_UNSPEC);
	CONSTANT(AF_INET);
	CONSTANT(AF_INET6);
	CONSTANT(AF_IB);
	CONSTANT(RAI_PASSIVE);
	CONSTANT(RAI_NUMERICHOST);
	CONSTANT(RAI_NOROUTE);
	CONSTANT(RAI_FAMILY);
	CONSTANT(IBV_QPT_RC);
	CONSTANT(IBV_QPT_UC);
	CONSTANT(IBV_QPT_UD);
	CONSTANT(IBV_QPT_RAW_PACKET);
	CONSTANT(IBV_QPT_XRC_SEND);
	CONSTANT(IBV_QPT_XRC_RECV);
	CONSTANT(IBV_QPT_DRIVER);
	CONSTANT(RDMA_PS_IPOIB);
	CONSTANT(RDMA_PS_TCP);
	CONSTANT(RDMA_PS_UDP);
	CONSTANT(RDMA_PS_IB);
	CONSTANT(RDMA_IB_IP_PS_MASK);
	CONSTANT(RDMA_IB_IP_PORT_MASK);
	CONSTANT(IBV_PATH_FLAG_GMP);
	CONSTANT(IBV_PATH_FLAG_PRIMARY);
	CONSTANT(IBV_PATH_FLAG_ALTERNATE);
	CONSTANT(IBV_PATH_FLAG_OUTBOUND);
	CONSTANT(IBV_PATH_FLAG_INBOUND);
	CONSTANT(IBV_PATH_FLAG_INBOUND_REVERSE);
	CONSTANT(EAI_BADFLAGS);
	CONSTANT(EAI_NONAME);
	CONSTANT(EAI_AGAIN);
	CONSTANT(EAI_FAIL);
	CONSTANT(EAI_NODATA);
	CONSTANT(EAI_FAMILY);
	CONSTANT(EAI_SOCKTYPE);
	CONSTANT(EAI_SERVICE);
	CONSTANT(EAI_ADDRFAMILY);
	CONSTANT(EAI_MEMORY);
	CONSTANT(EAI_SYSTEM);
	CONSTANT(EAI_OVERFLOW);
	CONSTANT(ENOENT);
	CONSTANT(ENOMEM);
	CONSTANT(ENODEV);
	CONSTANT(EINVAL);
	CONSTANT(EOPNOTSUPP);
	CONSTANT(ETIMEDOUT);
	/* Since 60. */
#ifdef RAI_SA
	CONSTANT(RAI_SA);
	CONSTANT(RAI_DNS);
#endif
	return 0;
}
