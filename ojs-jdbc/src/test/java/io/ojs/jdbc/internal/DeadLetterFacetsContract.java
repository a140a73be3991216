package io.ojs.jdbc.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.ojs.client.internal.EncodedJob;
import io.ojs.deadletter.DeadLetterFilter;
import io.ojs.deadletter.internal.DeadLetterFacets;
import io.ojs.deadletter.internal.DeadLetterFacets.Age;
import io.ojs.deadletter.internal.DeadLetterFacets.Sample;
import io.ojs.deadletter.internal.DeadLetterFacets.Value;
import io.ojs.deadletter.internal.FoundDeadLetter;
import io.ojs.job.JobError;
import io.ojs.job.internal.Rfc3339;
import io.ojs.tenant.Tenants;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Dead letters, counted by what they have in common.
 */
abstract class DeadLetterFacetsContract extends DeadLetterContract {

	private static final String REFUSED = "0123456789abcdef";

	private static final String BROKEN = "fedcba9876543210";

	@Test
	void countsWhatDeadLettersHaveInCommon() {
		at(Duration.ofDays(10), "a", "mail.send", "acme", REFUSED, "first");
		at(Duration.ofHours(30), "a", "mail.send", "acme", REFUSED, "x".repeat(300));
		at(Duration.ofHours(2), "b", "mail.read", "other", BROKEN, "broken");
		at(Duration.ofMinutes(5), "a", "mail.read", null, null, "nowhere");
		this.clock.now = NOON;
		DeadLetterFacets facets = facets(DeadLetterFilter.ANY, 100);
		assertThat(facets.counted()).isEqualTo(4);
		assertThat(facets.complete()).isTrue();
		assertThat(facets.newest()).isEqualTo(NOON.minus(Duration.ofMinutes(5)));
		assertThat(facets.queues()).containsExactly(
				new Value("a", 3, NOON.minus(Duration.ofDays(10)), NOON.minus(Duration.ofMinutes(5))),
				new Value("b", 1, NOON.minus(Duration.ofHours(2)), NOON.minus(Duration.ofHours(2))));
		assertThat(facets.types()).extracting(Value::value).containsExactly("mail.read", "mail.send");
		assertThat(facets.errorTypes()).extracting(Value::value, Value::count).containsExactly(tuple(ERROR, 4L));
		assertThat(facets.errorHashes()).extracting(Value::value).containsExactly(REFUSED, BROKEN);
		assertThat(facets.samples())
			.isEqualTo(Map.of(REFUSED, new Sample("mail.send", ERROR, "x".repeat(200), "a.B.c(B.java:1)"), BROKEN,
					new Sample("mail.read", ERROR, "broken", "a.B.c(B.java:1)")));
		assertThat(facets.ages()).isEqualTo(Map.of(Age.HOUR, 1L, Age.DAY, 1L, Age.WEEK, 1L, Age.OLDER, 1L));
	}

	@Test
	void countsOnlyWhatMatches() {
		at(Duration.ofHours(3), "a", "mail.send", "acme", REFUSED, "of acme");
		at(Duration.ofHours(2), "a", "mail.send", "other", REFUSED, "of another tenant");
		this.clock.now = NOON;
		DeadLetterFacets ofAcme = facets(DeadLetterFilter.ANY.tenant("acme"), 100);
		assertThat(ofAcme.counted()).isOne();
		assertThat(ofAcme.samples().get(REFUSED).message()).isEqualTo("of acme");
		assertThat(facets(DeadLetterFilter.ANY.since(NOON.minus(Duration.ofHours(2))), 100).counted()).isOne();
		assertThat(facets(DeadLetterFilter.ANY.until(NOON.minus(Duration.ofHours(2))), 100).counted()).isOne();
		assertThat(facets(DeadLetterFilter.ANY.origin("b"), 100).queues()).isEmpty();
		assertThat(facets(DeadLetterFilter.ANY.stackHash(BROKEN), 100).newest()).isNull();
	}

	@Test
	void countsTheNewestUpToABound() {
		for (int i = 1; i <= 3; i++) {
			at(Duration.ofHours(i), "q" + i, "mail.send", null, null, "no luck");
		}
		this.clock.now = NOON;
		DeadLetterFacets facets = facets(DeadLetterFilter.ANY, 2);
		assertThat(facets.counted()).isEqualTo(2);
		assertThat(facets.complete()).isFalse();
		assertThat(facets(DeadLetterFilter.ANY, 3).complete()).isTrue();
	}

	private DeadLetterFacets facets(DeadLetterFilter filter, int bound) {
		return this.store.facets(filter, NOON, bound);
	}

	private void at(Duration before, String queue, String type, @Nullable String tenant, @Nullable String hash,
			String message) {
		this.clock.now = NOON.minus(before);
		EncodedJob job = job(queue, type,
				(builder) -> (tenant != null) ? builder.meta(Map.of(Tenants.META_KEY, tenant)) : builder);
		Instant at = this.clock.now;
		JobError error = new JobError(ERROR, JobError.HANDLER_ERROR, message, 1, Rfc3339.utc(at),
				List.of("a.B.c(B.java:1)", "a.B.d(B.java:2)"), Map.of());
		record(new FoundDeadLetter(queue, job, 1, Map.of(), error, hash, "rejected", null));
	}

}
