package io.ojs.amqp.internal.control;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How long jobs that are to be dropped are remembered.
 */
class TombstonesTests {

	private static final Duration LIFE = Duration.ofMillis(200);

	private final Tombstones tombstones = new Tombstones(LIFE);

	private final List<String> released = new ArrayList<>();

	@Test
	void requestThatIsHandedOutAgainIsNotRememberedAnyLonger() {
		this.tombstones.add("job", release("first"), false);
		assertThat(this.tombstones.contains("job")).isTrue();
		pass();
		this.tombstones.add("job", release("again"), true);
		assertThat(this.tombstones.contains("job")).isFalse();
		assertThat(this.tombstones.size()).isZero();
		assertThat(this.released).containsExactly("first", "again");
	}

	@Test
	void newRequestIsRememberedAnewWhoeverHeardIt() {
		this.tombstones.add("here", release("first"), false);
		this.tombstones.add("there", null, false);
		pass();
		this.tombstones.add("there", null, false);
		this.tombstones.add("here", release("second"), false);
		assertThat(this.tombstones.contains("here")).isTrue();
		assertThat(this.tombstones.contains("there")).isTrue();
		assertThat(this.tombstones.held()).containsExactly("here");
		assertThat(this.released).containsExactly("first");
	}

	private Runnable release(String name) {
		return () -> this.released.add(name);
	}

	private static void pass() {
		long end = System.nanoTime() + LIFE.toNanos();
		while (System.nanoTime() - end < 0) {
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
		}
	}

}
