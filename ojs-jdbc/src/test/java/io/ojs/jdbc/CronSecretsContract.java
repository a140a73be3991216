package io.ojs.jdbc;

import java.util.List;

import io.ojs.cron.CronJob;
import io.ojs.cron.CronJobs;
import io.ojs.cron.CronRequest;
import io.ojs.cron.CronRun;
import io.ojs.cron.OverlapPolicy;
import io.ojs.crypto.EncryptedJobs;
import io.ojs.crypto.EncryptionKey;
import io.ojs.crypto.FixedKeys;
import io.ojs.crypto.JobEncryption;
import io.ojs.job.JobRequest;
import io.ojs.job.UniqueDimension;
import io.ojs.middleware.EnqueueMiddleware;
import io.ojs.middleware.MiddlewareChain;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Crons whose jobs are secret, and crons whose jobs nobody wants.
 */
abstract class CronSecretsContract extends CronsOnStore {

	private static final String KEY = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

	private static final String OTHER_KEY = "/wECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

	private static final String SECRET = "4111-1111";

	private static final JobEncryption ENCRYPTION = new JobEncryption(
			new FixedKeys("k", List.of(EncryptionKey.of("k", KEY))), EncryptedJobs.ALL, List.of());

	@Override
	JobEncryption encryption() {
		return ENCRYPTION;
	}

	@Override
	void middleware(MiddlewareChain<EnqueueMiddleware> chain) {
		chain.add("drops",
				(job) -> job.type().equals("gate.drop") ? null : job.toBuilder().meta("passed", true).build());
	}

	private static CronRequest cron(String type, String... args) {
		return CronRequest.of("gate", "* * * * *", JobRequest.of(type, (Object[]) args).queue("gate"));
	}

	@Test
	void whatIsKeptIsEncrypted() {
		CronJob registered = this.crons.register(cron("gate.open", SECRET));
		assertThat(registered.toString()).contains("ojs_encoded").doesNotContain(SECRET, "passed");
		assertThat(this.crons.find("gate")).contains(registered);
		List<String> kept = this.stores.jdbc().queryForList("select job from ojs_cron", String.class);
		assertThat(kept).singleElement().asString().contains("ojs_encoded").doesNotContain(SECRET);
		minute();
		assertThat(jobs()).singleElement().satisfies((job) -> {
			assertThat(job.toString()).doesNotContain(SECRET);
			assertThat(job.meta()).containsEntry("passed", true).containsKey("cron_name");
			assertThat(ENCRYPTION.decrypt(job).args()).containsExactly(SECRET);
		});
	}

	@Test
	@Tag("EI-001")
	void eachJobIsEncryptedAnewAndIsTheSameForWhoeverComparesIt() {
		CronRequest request = cron("gate.open", SECRET);
		this.crons.register(
				request.job(request.job().unique((unique) -> unique.keys(UniqueDimension.TYPE, UniqueDimension.ARGS)))
					.overlap(OverlapPolicy.ALLOW));
		minute();
		minute();
		assertThat(jobs()).hasSize(1);
		assertThat(this.crons.runs("gate", 5)).extracting(CronRun::outcome)
			.containsExactly(CronRun.Outcome.SKIPPED, CronRun.Outcome.TRIGGERED);
	}

	@Test
	void whatIsDeclaredAgainHasNotChanged() {
		this.crons.declare("gallery", List.of(cron("gate.open", SECRET)));
		this.crons.disable("gate");
		CronJob before = this.crons.find("gate").orElseThrow();
		this.crons.declare("gallery", List.of(cron("gate.open", SECRET)));
		assertThat(this.crons.find("gate")).contains(before);
		this.crons.declare("gallery", List.of(cron("gate.open", "other")));
		CronJob changed = this.crons.find("gate").orElseThrow();
		assertThat(changed).isNotEqualTo(before);
		assertThat(ENCRYPTION.decrypt(changed.request().job()).args()).containsExactly("other");
	}

	@Test
	void whatIsDeclaredIsEncryptedAnewByANewKeyAndStaysAsItWas() {
		CronJobs before = this.crons;
		before.declare("gallery", List.of(cron("gate.open", SECRET)));
		before.disable("gate");
		JobEncryption rotated = new JobEncryption(
				new FixedKeys("new", List.of(EncryptionKey.of("k", KEY), EncryptionKey.of("new", OTHER_KEY))),
				EncryptedJobs.ALL, List.of());
		crons(this.store, this.firing, rotated).declare("gallery", List.of(cron("gate.open", SECRET)));
		CronJob after = this.crons.find("gate").orElseThrow();
		assertThat(after.enabled()).isFalse();
		assertThat(after.request().job().meta()).containsEntry("ojs.codec.key_id", "new");
		assertThat(rotated.decrypt(after.request().job()).args()).containsExactly(SECRET);
		// Another key of the same name.
		JobEncryption restored = new JobEncryption(new FixedKeys("new", List.of(EncryptionKey.of("new", KEY))),
				EncryptedJobs.ALL, List.of());
		crons(this.store, this.firing, restored).declare("gallery", List.of(cron("gate.open", SECRET)));
		assertThat(restored.decrypt(this.crons.find("gate").orElseThrow().request().job()).args())
			.containsExactly(SECRET);
	}

	@Test
	void aJobThatIsDroppedIsARunThatIsSkipped() {
		this.crons.register(cron("gate.drop"));
		minute();
		assertThat(jobs()).isEmpty();
		assertThat(this.crons.runs("gate", 5)).singleElement().satisfies((run) -> {
			assertThat(run.outcome()).isEqualTo(CronRun.Outcome.SKIPPED);
			assertThat(run.reason()).isEqualTo("dropped");
			assertThat(run.jobId()).isNull();
		});
		assertThat(this.crons.find("gate").orElseThrow().runCount()).isZero();
		minute();
		assertThat(this.crons.runs("gate", 5)).hasSize(2);
	}

}
