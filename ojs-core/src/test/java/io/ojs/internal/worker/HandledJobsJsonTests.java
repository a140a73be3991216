package io.ojs.internal.worker;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.ojs.internal.json.JsonFields;
import io.ojs.job.InvalidJobException;
import io.ojs.job.JobVersion;
import io.ojs.job.VersionRange;
import io.ojs.job.internal.HandledJobs;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What workers say they can run (OJS Job Versioning §8.1).
 */
class HandledJobsJsonTests {

	private static @Nullable HandledJobs read(@Nullable Object handlers) {
		Map<String, @Nullable Object> object = new HashMap<>();
		object.put("handlers", handlers);
		return HandledJobsJson.read(new JsonFields(object, InvalidJobException::new));
	}

	@Test
	void areTypesAndTheirVersionsAndNoOthers() {
		HandledJobs handled = read(List.of(Map.of("type", "invoice.generate", "versions", ">=1.0 <2.0"),
				Map.of("type", "invoice.generate", "versions", 3), Map.of("type", "email.send")));
		assertThat(handled).isNotNull()
			.isEqualTo(new HandledJobs(
					Map.of("invoice.generate", List.of(VersionRange.parse(">=1.0 <2.0"), VersionRange.parse("3.0")),
							"email.send", List.of(VersionRange.ALL)),
					false));
		assertThat(handled.contain("invoice.generate", JobVersion.parse("3.0"))).isTrue();
		assertThat(handled.contain("invoice.generate", JobVersion.parse("2.0"))).isFalse();
		assertThat(handled.contain("invoice.generate", null)).isTrue();
		assertThat(handled.contain("email.send", JobVersion.parse("77.0"))).isTrue();
		assertThat(handled.contain("report.render", null)).isFalse();
		assertThat(read(HandledJobsJson.write(handled))).isEqualTo(handled);
	}

	@Test
	void whoSaysNothingTakesAll() {
		assertThat(read(null)).isNull();
		assertThat(read(List.of())).isEqualTo(HandledJobs.ALL);
	}

	@Test
	void mistakesAreNamedWithTheirPlace() {
		assertRefused(List.of(Map.of("type", "a"), Map.of("type", "b", "versions", "^1.0")), "handlers[1].versions",
				">=1.0 <3.0");
		assertRefused(List.of(Map.of("versions", "*")), "handlers[0].type", "segments");
		assertRefused(List.of(Map.of("type", "a@2.0")), "handlers[0].type", "segments");
		assertRefused(List.of(Map.of("type", "a", "versions", true)), "handlers[0].versions", "string");
		assertRefused(List.of("a"), "handlers[0]", "object");
		assertRefused("a", "handlers", "array");
		assertRefused(Collections.nCopies(201, Map.of("type", "a")), "handlers", "at most 200");
	}

	private static void assertRefused(Object handlers, String field, String fix) {
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> read(handlers))
			.withMessageContaining(fix)
			.satisfies((ex) -> assertThat(ex.field()).isEqualTo(field));
	}

}
