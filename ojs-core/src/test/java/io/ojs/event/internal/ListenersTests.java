package io.ojs.event.internal;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

/**
 * Listeners are called in their order. One that throws affects neither the others nor the
 * caller: a worker would take it for a failure of the job.
 */
class ListenersTests {

	private final List<String> told = new ArrayList<>();

	private static void publish(Listeners<Consumer<String>> listeners) {
		listeners.notifyOf(() -> "job.started of job 7", (listener) -> listener.accept("job.started"));
	}

	@Test
	void allAreCalledInOrder() {
		Listeners<Consumer<String>> listeners = new Listeners<>(
				List.of((event) -> this.told.add("first " + event), (event) -> this.told.add("second " + event)));
		listeners.add((event) -> this.told.add("third " + event));
		publish(listeners);
		assertThat(this.told).containsExactly("first job.started", "second job.started", "third job.started");
	}

	static Stream<Throwable> throwables() {
		return Stream.of(new IllegalStateException("x"), new AssertionError("x"), new NoClassDefFoundError("x"),
				new StackOverflowError("x"), new IOException("sneaked past the compiler"));
	}

	@ParameterizedTest
	@MethodSource("throwables")
	void oneThatThrowsKeepsTheEventFromNoOther(Throwable thrown) {
		Listeners<Consumer<String>> listeners = new Listeners<>(List.of((event) -> {
			this.told.add("thrower");
			ListenersTests.<RuntimeException>sneak(thrown);
		}, (event) -> this.told.add("other")));
		assertThatCode(() -> publish(listeners)).doesNotThrowAnyException();
		assertThat(this.told).containsExactly("thrower", "other");
	}

	@SuppressWarnings("unchecked")
	private static <T extends Throwable> void sneak(Throwable thrown) throws T {
		throw (T) thrown;
	}

	@Test
	void doNotChangeWithTheListTheyWereMadeOf() {
		List<Consumer<String>> given = new ArrayList<>();
		Listeners<Consumer<String>> listeners = new Listeners<>(given);
		given.add((event) -> this.told.add("late"));
		publish(listeners);
		assertThat(this.told).isEmpty();
	}

}
