package io.ojs.amqp.internal.observe;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.ojs.event.JobEvent;
import io.ojs.job.Job;
import io.ojs.job.JobError;
import io.ojs.job.internal.Rfc3339;
import io.ojs.tenant.TenantEvent;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tenants that have meters of their own, and all the others.
 */
class TenantMetersTests {

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	private final MicrometerTenantMetrics metrics = new MicrometerTenantMetrics(this.registry, List.of("acme", "beta"),
			List.of("email"));

	@Test
	void eachOfThoseThatAreNamedIsCountedByItself() {
		this.metrics.onEvent(new JobEvent.Enqueued(job("acme", "email"), false));
		this.metrics.onEvent(new JobEvent.Enqueued(job("acme", "email"), false));
		this.metrics.onEvent(new JobEvent.Scheduled(job("beta", "email"), false));
		this.metrics.onEvent(new JobEvent.Completed(job("acme", "email"), 1, 3, Duration.ofSeconds(1), null));
		this.metrics.onEvent(new JobEvent.Discarded(job("beta", "email"), 3, 3, error()));
		this.metrics.onEvent(new TenantEvent.Refused("acme", "max_queue_depth", 7, 8, 5));
		this.metrics.onEvent(new TenantEvent.LimitReached("acme", "max_queue_depth", 8, "email"));
		assertThat(count("enqueued", "tenant_id", "acme", "queue", "email")).isEqualTo(2);
		assertThat(count("enqueued", "tenant_id", "beta", "queue", "email")).isEqualTo(1);
		assertThat(count("processed", "tenant_id", "acme", "queue", "email")).isEqualTo(1);
		assertThat(count("failed", "tenant_id", "beta", "queue", "email")).isEqualTo(1);
		assertThat(count("rejected", "tenant_id", "acme", "limit", "max_queue_depth")).isEqualTo(5);
	}

	@Test
	void anyNumberOfTenantsAndQueuesMakesNoMoreMeters() {
		for (int i = 0; i < 1000; i++) {
			this.metrics.onEvent(new JobEvent.Enqueued(job("t" + i, "q" + i), false));
			this.metrics.onEvent(new JobEvent.Enqueued(job("acme", "q" + i), false));
		}
		assertThat(this.registry.get("ojs.tenant.jobs.enqueued").meters()).hasSize(2);
		assertThat(tenants()).containsExactlyInAnyOrder("acme", "_other");
		assertThat(count("enqueued", "tenant_id", "_other", "queue", "other")).isEqualTo(1000);
	}

	@Test
	void jobsOfNobodyAreNotCountedHere() {
		this.metrics.onEvent(new JobEvent.Enqueued(
				Job.builder("019461a8-1a2b-7c3d-8e4f-5a6b7c8d9e0f", "a.b", "email").build(), false));
		assertThat(this.registry.getMeters()).isEmpty();
	}

	@Test
	void whereNobodyIsNamedThereAreNone() {
		MicrometerTenantMetrics none = new MicrometerTenantMetrics(this.registry, List.of(), List.of("email"));
		none.onEvent(new JobEvent.Enqueued(job("acme", "email"), false));
		none.onEvent(new TenantEvent.Refused("acme", "max_queue_depth", 7, 8, 5));
		assertThat(this.registry.getMeters()).isEmpty();
	}

	private static Job job(String tenant, String queue) {
		return Job.builder("019461a8-1a2b-7c3d-8e4f-5a6b7c8d9e0f", "a.b", queue).meta("tenant_id", tenant).build();
	}

	private static JobError error() {
		return new JobError("a.B", "HANDLER_ERROR", "no", 3, Rfc3339.utc(Instant.EPOCH), List.of(), Map.of());
	}

	private Set<String> tenants() {
		return this.registry.get("ojs.tenant.jobs.enqueued")
			.meters()
			.stream()
			.map(Meter::getId)
			.map((id) -> id.getTag("tenant_id"))
			.collect(Collectors.toSet());
	}

	private double count(String what, String... tags) {
		return this.registry.get("ojs.tenant.jobs." + what).tags(tags).counter().count();
	}

}
