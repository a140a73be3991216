package io.ojs.job;

import io.ojs.job.internal.JobRules;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What a job id may be (OJS JSON Format §6).
 */
class JobIdRuleTests {

	@ParameterizedTest
	@ValueSource(strings = { "019461a8-1a2b-7c3d-8e4f-5a6b7c8d9e0f", "00000000-0000-7000-8000-000000000000",
			"ffffffff-ffff-7fff-bfff-ffffffffffff" })
	void isAUuidOfVersionSeven(String id) {
		assertThat(JobRules.id(id)).isEqualTo(id);
	}

	@Test
	void isAcceptedInUpperCaseAndKeptInLowerCase() {
		assertThat(JobRules.id("019461A8-1A2B-7C3D-8E4F-5A6B7C8D9E0F"))
			.isEqualTo("019461a8-1a2b-7c3d-8e4f-5a6b7c8d9e0f");
		assertThat(Job.builder("019461A8-1A2B-7C3D-8E4F-5A6B7C8D9E0F", "a.b", "default").build().id())
			.isEqualTo("019461a8-1a2b-7c3d-8e4f-5a6b7c8d9e0f");
	}

	@ParameterizedTest
	@NullAndEmptySource
	@ValueSource(strings = { "550e8400-e29b-41d4-a716-446655440000", "not-a-uuid-at-all",
			"019461a8-1a2b-7c3d-ce4f-5a6b7c8d9e0f", "019461a81a2b7c3d8e4f5a6b7c8d9e0f",
			"{019461a8-1a2b-7c3d-8e4f-5a6b7c8d9e0f}", "019461a8-1a2b-7c3d-8e4f-5a6b7c8d9e0f\n",
			"019461a801a2b-7c3d-8e4f-5a6b7c8d9e0f", "019461a8-1a2b07c3d-8e4f-5a6b7c8d9e0f",
			"019461a8-1a2b-7c3d08e4f-5a6b7c8d9e0f", "019461a8-1a2b-7c3d-8e4f05a6b7c8d9e0f",
			"019461a8-1a2b-7c3d-8e4f-5a6b7c8d9e0", "019461g8-1a2b-7c3d-8e4f-5a6b7c8d9e0f" })
	void isNothingElse(String id) {
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> JobRules.id(id))
			.withMessageContainingAll("'id'", "UUIDv7")
			.satisfies((ex) -> assertThat(ex.field()).isEqualTo("id"));
	}

}
