package io.ojs.event.internal;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.ojs.event.JobEvent;
import io.ojs.event.JobEventListener;
import io.ojs.job.Job;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

/**
 * Listeners are told in their order, and one that throws harms neither the others nor the
 * worker, which would take it for a failure of the job.
 */
class JobEventsTests {

	private static final JobEvent EVENT = new JobEvent.Started(
			Job.builder("019461a8-1a2b-7c3d-8e4f-5a6b7c8d9e0f", "a.b", "default").build(), 1, 3);

	private final List<String> told = new ArrayList<>();

	@Test
	void tellEveryListenerInOrder() {
		new JobEvents(List.of((event) -> this.told.add("first " + event.name()),
				(event) -> this.told.add("second " + event.name())))
			.publish(EVENT);
		assertThat(this.told).containsExactly("first job.started", "second job.started");
	}

	static Stream<Throwable> throwables() {
		return Stream.of(new IllegalStateException("x"), new AssertionError("x"), new NoClassDefFoundError("x"),
				new StackOverflowError("x"), new IOException("sneaked past the compiler"));
	}

	@ParameterizedTest
	@MethodSource("throwables")
	void surviveAListenerThatThrows(Throwable thrown) {
		JobEvents events = new JobEvents(List.of((event) -> {
			this.told.add("thrower");
			JobEventsTests.<RuntimeException>sneak(thrown);
		}, (event) -> this.told.add("other")));
		assertThatCode(() -> events.publish(EVENT)).doesNotThrowAnyException();
		assertThat(this.told).containsExactly("thrower", "other");
	}

	@SuppressWarnings("unchecked")
	private static <T extends Throwable> void sneak(Throwable thrown) throws T {
		throw (T) thrown;
	}

	@Test
	void doNotChangeWithTheListTheyWereMadeOf() {
		List<JobEventListener> listeners = new ArrayList<>();
		JobEvents events = new JobEvents(listeners);
		listeners.add((event) -> this.told.add("late"));
		events.publish(EVENT);
		assertThat(this.told).isEmpty();
	}

}
