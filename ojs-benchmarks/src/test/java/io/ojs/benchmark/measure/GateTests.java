package io.ojs.benchmark.measure;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class GateTests {

	private final Counter counter = new Counter();

	private final Gate gate = new Gate(this.counter, 2);

	@Test
	void nobodyPassesBeforeItOpens() throws Exception {
		this.gate.handle(0);
		this.gate.shut();
		List<Thread> held = workers(3);
		await().until(() -> held.stream().allMatch((each) -> each.getState() == Thread.State.WAITING));
		assertThat(this.counter.count()).isEqualTo(1);

		assertThat(this.gate.open()).isEqualTo(3);
		for (Thread each : held) {
			each.join();
		}
		assertThat(this.counter.count()).isEqualTo(4);
	}

	@Test
	void measuringBeginsWhenTheFirstOnesHavePassed() {
		this.gate.shut();
		this.gate.open();
		this.gate.handle(0);
		assertThat(this.gate.markedAt()).isZero();

		long before = System.nanoTime();
		this.gate.handle(0);
		long marked = this.gate.markedAt();
		assertThat(marked).isBetween(before, System.nanoTime());

		this.gate.handle(0);
		assertThat(this.gate.markedAt()).isEqualTo(marked);
	}

	@Test
	void eachBacklogHasItsOwnFirstOnes() {
		this.gate.shut();
		this.gate.open();
		this.gate.handle(0);
		this.gate.handle(0);
		this.gate.shut();
		assertThat(this.gate.markedAt()).isZero();
		assertThat(this.gate.open()).isEqualTo(4);
		this.gate.handle(0);
		assertThat(this.gate.markedAt()).isZero();
	}

	private List<Thread> workers(int count) {
		List<Thread> all = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			Thread worker = new Thread(() -> this.gate.handle(0));
			worker.setDaemon(true);
			worker.start();
			all.add(worker);
		}
		return all;
	}

}
