//! A comparison that checks each answer before it is timed.

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput};
use std::fmt::{self, Debug};
use std::hint::black_box;

/// One case: its inputs, and the answers that every engine must give.
pub struct Case<'c, I, A> {
    group: BenchmarkGroup<'c, WallTime>,
    inputs: &'c [I],
    answers: Vec<A>,
}

impl<'c, I, A: PartialEq + Debug> Case<'c, I, A> {
    /// A case named `area/case`; `answer` tells what is right for each input.
    pub fn new(
        criterion: &'c mut Criterion,
        name: &str,
        inputs: &'c [I],
        answer: impl FnMut(&'c I) -> A,
    ) -> Self {
        let mut group = criterion.benchmark_group(name);
        group.throughput(Throughput::Elements(inputs.len() as u64));
        Self { group, inputs, answers: inputs.iter().map(answer).collect() }
    }

    /// Checks and times an engine whose answer is what is right.
    #[inline]
    pub fn engine(&mut self, name: &str, run: impl Fn(&I) -> A) -> &mut Self {
        self.engine_with(name, &run, |input| {
            black_box(run(input));
        })
    }

    /// Checks `answer` and times `run`, for engines that do not answer in the form that is compared. `run` hands
    /// its answer to [`black_box`].
    ///
    /// # Panics
    /// When an answer is wrong.
    #[inline]
    pub fn engine_with(
        &mut self,
        name: &str,
        mut answer: impl FnMut(&I) -> A,
        mut run: impl FnMut(&I),
    ) -> &mut Self {
        // Twice, since an engine may keep something from one call to the next.
        for _ in 0..2 {
            for (at, (input, right)) in self.inputs.iter().zip(&self.answers).enumerate() {
                assert_eq!(answer(input), *right, "{name} is wrong about input {at}");
            }
        }
        let inputs = self.inputs;
        self.group.bench_function(name, |bencher| {
            bencher.iter(|| black_box(inputs).iter().for_each(|input| run(black_box(input))));
        });
        self
    }
}

impl<I, A> Debug for Case<'_, I, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Case").field("inputs", &self.inputs.len()).finish_non_exhaustive()
    }
}
