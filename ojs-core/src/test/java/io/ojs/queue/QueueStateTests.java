package io.ojs.queue;

import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The states of a queue (OJS Queue Configuration §5.1).
 */
class QueueStateTests {

	private static final Set<String> TRANSITIONS = Set.of("active -> paused", "paused -> active", "active -> draining",
			"paused -> draining", "draining -> active", "draining -> deleted", "deleted -> active");

	@ParameterizedTest
	@EnumSource
	void onlyWhatIsListedIsLegal(QueueState from) {
		for (QueueState to : QueueState.values()) {
			assertThat(from.canBecome(to)).as("%s -> %s", from, to)
				.isEqualTo(TRANSITIONS.contains("%s -> %s".formatted(from.wireName(), to.wireName())));
		}
	}

	@ParameterizedTest
	@EnumSource
	void namesGoOverTheWireAndBack(QueueState state) {
		assertThat(QueueState.fromWire(state.wireName())).isEqualTo(state);
	}

	@Test
	void anUnknownNameIsRefused() {
		assertThatExceptionOfType(InvalidQueueConfigException.class).isThrownBy(() -> QueueState.fromWire("stopped"))
			.withMessageContaining("active, paused, draining, deleted");
	}

	@Test
	void jobsAreTakenAndBegunAsTheTableSays() {
		assertThat(QueueState.values()).filteredOn(QueueState::acceptsJobs)
			.containsExactly(QueueState.ACTIVE, QueueState.PAUSED);
		assertThat(QueueState.values()).filteredOn(QueueState::isWorked)
			.containsExactly(QueueState.ACTIVE, QueueState.DRAINING);
	}

}
