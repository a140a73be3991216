package io.ojs.internal.worker;

import java.util.Collections;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is kept of what a worker says.
 */
class RemoteFailureTests {

	@Test
	void isKeptAsItWasSaid() {
		RemoteFailure failure = new RemoteFailure("handler_error", "some.Type", "no luck", true, List.of("a", "b"),
				Map.of("key", List.of(1, 2)));
		assertThat(failure.message()).isEqualTo("no luck");
		assertThat(failure.backtrace()).containsExactly("a", "b");
		assertThat(failure.details()).isEqualTo(Map.of("key", List.of(1, 2)));
	}

	@Test
	void isCutWhereNobodyReadsOn() {
		String endless = "\uD83D\uDE00".repeat(500_001).substring(1);
		RemoteFailure failure = new RemoteFailure(endless, endless, endless, true, Collections.nCopies(10_000, endless),
				Map.of("error_class", "some.Type", "key", endless));
		assertThat(failure.code()).hasSizeLessThanOrEqualTo(1000);
		assertThat(failure.effectiveType()).hasSizeLessThanOrEqualTo(1000);
		assertThat(failure.message()).hasSizeBetween(9999, 10_000);
		assertThat(failure.backtrace()).hasSize(50).allMatch((frame) -> frame.length() <= 1000);
		assertThat(failure.details()).isEqualTo(Map.of("omitted", true, "error_class", "some.Type"));
		assertThat(failure.message().codePoints()).doesNotContain(0xD83D);
	}

}
