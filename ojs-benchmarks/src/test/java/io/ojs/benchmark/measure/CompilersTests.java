package io.ojs.benchmark.measure;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CompilersTests {

	private final AtomicLong work = new AtomicLong(5_000);

	private final AtomicLong nanoTime = new AtomicLong(-77);

	private final Compilers compilers = new Compilers(this.work::get, this.nanoTime::get);

	@Test
	void whoTakesATenthOfAProcessorIsQuiet() {
		assertThat(afterSeconds(2, 200)).isTrue();
		assertThat(afterSeconds(2, 201)).isFalse();
		assertThat(afterSeconds(2, 0)).isTrue();
	}

	@Test
	void whatCountsIsWhatWasDoneSinceTheLastLook() {
		assertThat(afterSeconds(1, 1_500)).as("by two threads").isFalse();
		assertThat(afterSeconds(1, 50)).isTrue();
		assertThat(afterSeconds(1, 150)).isFalse();
	}

	private boolean afterSeconds(int seconds, long millisOfWork) {
		this.nanoTime.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
		this.work.addAndGet(millisOfWork);
		return this.compilers.areQuiet();
	}

}
