package io.ojs.jdbc.internal;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.ojs.client.internal.EncodedJob;
import io.ojs.job.IllegalStateTransitionException;
import io.ojs.job.JobState;
import io.ojs.store.StoredJob;
import io.ojs.store.internal.attempt.Claim;
import io.ojs.store.internal.attempt.Outcome;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The same, and what only a database has.
 */
abstract class JobStoreContract extends EngineJobStoreContract<TestStores> {

	@Test
	void givesTheBytesOfAnEnvelopeBackAsTheyCame() {
		EncodedJob job = this.stores.encoded((fields) -> fields);
		String odd = new String(job.body(), StandardCharsets.UTF_8).replace("\"args\":",
				"\t\"x-odd\" : \"\\u0000 \\/ \\ud83d\\ude00 é\" ,\r\n \"args\":");
		byte[] body = odd.getBytes(StandardCharsets.UTF_8);
		this.stores.keep(new EncodedJob(job.job(), body, 3), TestStores.NOW);
		assertThat(this.stores.relay.take(TestStores.NOW, TestStores.LATER, 10).jobs()).singleElement()
			.satisfies((relayed) -> assertThat(relayed.encoded().body()).isEqualTo(body));
	}

	@Test
	void cancelsWhateverHasNotEnded() {
		EncodedJob available = this.stores.available();
		EncodedJob scheduled = this.stores.scheduled(TestStores.NOW.plusSeconds(60));
		EncodedJob pending = this.stores.pending();
		EncodedJob active = this.stores.available();
		Claim.Taken run = this.stores.taken(active, TestStores.NOW);
		EncodedJob retryable = this.stores.available();
		this.stores.attempts.settle(List.of(new Outcome.Retried(this.stores.taken(retryable, TestStores.NOW).lease(),
				TestStores.error("no"), TestStores.LATER, TestStores.LATER)), TestStores.NOW);
		for (EncodedJob job : List.of(available, scheduled, pending, active, retryable)) {
			JobState before = this.stores.state(job);
			assertThat(this.stores.jobs.cancel(job.job().id(), TestStores.NOW)).map((found) -> found.job().state())
				.contains(before);
			assertThat(this.stores.state(job)).isEqualTo(JobState.CANCELLED);
			assertThat(this.stores.find(job).job().completedAt()).isEqualTo(TestStores.time(TestStores.NOW));
			assertThat(this.stores.events(job)).last().isEqualTo("job.cancelled");
		}
		assertThat(this.stores.relay.nextAt()).isEmpty();
		assertThat(this.stores.attempts.settle(List.of(new Outcome.Completed(run.lease(), null)), TestStores.NOW))
			.containsExactly(false);
		assertThat(this.stores.processes.beat("worker-1", List.of(run.lease())).lost())
			.isEqualTo(Map.of(run.lease(), true));
	}

	@Test
	void aRefusedTransitionLeavesTheCallersTransactionAlone() {
		EncodedJob job = this.stores.available();
		EncodedJob other = this.stores.encoded((fields) -> fields);
		this.stores.users().executeWithoutResult((status) -> {
			this.stores.keep(other, null);
			assertThatExceptionOfType(IllegalStateTransitionException.class)
				.isThrownBy(() -> this.stores.jobs.activate(job.job().id(), TestStores.NOW, TestStores.NOW));
		});
		assertThat(this.stores.jobs.find(other.job().id())).isPresent();
	}

	@Test
	void activatesPendingJobsOnly() {
		EncodedJob pending = this.stores.pending();
		assertThat(this.stores.relay.nextAt()).isEmpty();
		assertThat(this.stores.claim(pending)).isEqualTo(new Claim.Duplicate(JobState.PENDING));
		Optional<StoredJob> activated = this.stores.jobs.activate(pending.job().id(), TestStores.NOW, TestStores.LATER);
		assertThat(activated).map((job) -> job.job().state()).contains(JobState.AVAILABLE);
		assertThat(this.stores.relay.nextAt()).contains(TestStores.LATER);
		assertThat(this.stores.events(pending)).containsExactly("job.enqueued");
		EncodedJob scheduled = this.stores.scheduled(TestStores.LATER);
		for (EncodedJob job : List.of(pending, scheduled)) {
			assertThatExceptionOfType(IllegalStateTransitionException.class)
				.isThrownBy(() -> this.stores.jobs.activate(job.job().id(), TestStores.NOW, TestStores.NOW));
		}
		assertThat(this.stores.state(scheduled)).isEqualTo(JobState.SCHEDULED);
	}

}
