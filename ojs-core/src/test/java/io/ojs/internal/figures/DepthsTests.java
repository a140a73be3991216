package io.ojs.internal.figures;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How many messages there are beside jobs.
 */
class DepthsTests {

	@Test
	void differenceIsKnownOnlyIfAllJobsWereCounted() {
		assertThat(depth(true).difference()).isEqualTo(-2);
		assertThat(depth(false).difference()).isNull();
	}

	private static Depths.QueueDepth depth(boolean complete) {
		return new Depths.QueueDepth(new KnownQueue("mail", "active", null, null, "broker"),
				new StoreFigures.Depth(0, 5, 0, 0, 0, 0, null, complete),
				new BrokerFigures.Depth(3, null, 1, true, 0, 0), 0);
	}

}
