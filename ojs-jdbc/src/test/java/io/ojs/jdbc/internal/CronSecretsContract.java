package io.ojs.jdbc.internal;

import java.util.List;
import java.util.Map;

import io.ojs.cron.CronJob;
import io.ojs.cron.CronJobs;
import io.ojs.cron.CronRequest;
import io.ojs.cron.CronRun;
import io.ojs.cron.OverlapPolicy;
import io.ojs.cron.internal.CronEvents;
import io.ojs.cron.internal.CronFiring;
import io.ojs.crypto.EncryptionKey;
import io.ojs.crypto.internal.EncryptedJobs;
import io.ojs.crypto.internal.FixedKeys;
import io.ojs.crypto.internal.JobEncryption;
import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import io.ojs.job.JobIdGenerator;
import io.ojs.job.JobRequest;
import io.ojs.job.UniqueDimension;
import io.ojs.middleware.EnqueueMiddleware;
import io.ojs.middleware.MiddlewareChain;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Crons whose jobs are secret, and crons whose jobs nobody wants.
 */
abstract class CronSecretsContract extends CronsOnStore {

	private static final String KEY = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

	private static final String OTHER_KEY = "/wECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

	private static final String SECRET = "4111-1111";

	private static final JobEncryption ENCRYPTION = new JobEncryption(
			new FixedKeys("k", List.of(EncryptionKey.of("k", KEY))),
			new EncryptedJobs(List.of("gate.*", "vault.*"), List.of()), List.of());

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
		assertThat(ENCRYPTION.open(changed.request().job(), "gate").args()).containsExactly("other");
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
		assertThat(rotated.open(after.request().job(), "gate").args()).containsExactly(SECRET);
		// Another key of the same name.
		JobEncryption restored = new JobEncryption(new FixedKeys("new", List.of(EncryptionKey.of("new", KEY))),
				EncryptedJobs.ALL, List.of());
		crons(this.store, this.firing, restored).declare("gallery", List.of(cron("gate.open", SECRET)));
		assertThat(restored.open(this.crons.find("gate").orElseThrow().request().job(), "gate").args())
			.containsExactly(SECRET);
	}

	private static CronRequest copied(String type, Job of) {
		JobRequest job = JobRequest.of(type, of.args().get(0)).queue("gate");
		for (String key : List.of("ojs.codec.encodings", "ojs.codec.key_id", "ojs.codec.aad")) {
			job = of.meta().containsKey(key) ? job.meta(key, of.meta().get(key)) : job;
		}
		return CronRequest.of("copy", "* * * * *", job);
	}

	@ParameterizedTest
	@ValueSource(strings = { "plain.open", "gate.open", "vault.open" })
	void ciphertextThatArrivesIsPassedOnAsItIs(String type) {
		Job secret = ENCRYPTION.encrypt(
				Job.builder(new JobIdGenerator(this.clock).next(), "vault.open", "gate").args(List.of(SECRET)).build());
		this.crons.register(copied(type, secret));
		minute();
		assertThat(jobs()).singleElement().satisfies((job) -> {
			assertThat(job.args()).isEqualTo(secret.args());
			assertThat(this.stores.jdbc().queryForList("select envelope from ojs_job", String.class)).singleElement()
				.asString()
				.contains("ojs_encoded")
				.doesNotContain(SECRET);
		});
	}

	@Test
	void whatOneCronKeepsIsNoOtherCrons() {
		JobRequest kept = this.crons.register(cron("gate.open", SECRET)).request().job();
		// What was read can be written back.
		this.crons.register(CronRequest.of("gate", "*/5 * * * *", kept));
		for (CronRequest copy : List.of(CronRequest.of("copy", "* * * * *", kept),
				CronRequest.of("gate", "* * * * *", copied("plain.open", kept)),
				CronRequest.of("gate", "* * * * *", copied("vault.open", kept)))) {
			assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> this.crons.register(copy))
				.withMessageContaining("[encrypted]")
				.satisfies((ex) -> assertThat(ex.field()).isEqualTo("args[0]"));
		}
	}

	private static JobRequest copied(String type, JobRequest of) {
		JobRequest copy = JobRequest.of(type, of.args().get(0)).queue("gate");
		for (Map.Entry<String, Object> entry : of.meta().entrySet()) {
			copy = copy.meta(entry.getKey(), entry.getValue());
		}
		return copy;
	}

	@Test
	void whatWasEncryptedStaysSoIfItsTypeIsNotAnyMore() {
		this.crons.register(cron("gate.open", SECRET));
		JobEncryption now = new JobEncryption(new FixedKeys("k", List.of(EncryptionKey.of("k", KEY))),
				new EncryptedJobs(List.of("other"), List.of()), List.of());
		CronFiring firing = new CronFiring(this.store, this.stores.transactions,
				new StoredOjs(this.stores, factory(now), this.clock), this.schedules, new CronEvents(List.of()), now,
				this.clock);
		this.clock.move(MINUTE);
		scheduler(this.store, firing, this.crons).fire();
		assertThat(jobs()).singleElement().satisfies((job) -> {
			assertThat(job.toString()).contains("ojs_encoded").doesNotContain(SECRET);
			assertThat(now.decrypt(job).args()).containsExactly(SECRET);
		});
	}

	@Test
	void anUnknownKeyDelaysNoOther() {
		JobEncryption gone = new JobEncryption(new FixedKeys("gone", List.of(EncryptionKey.of("gone", OTHER_KEY))),
				EncryptedJobs.ALL, List.of());
		crons(this.store, this.firing, gone).register(cron("gate.open", SECRET));
		register("other", (cron) -> cron);
		this.clock.move(MINUTE);
		assertThat(this.scheduler.fire()).isPositive().isLessThan(MINUTE);
		assertThat(jobs()).singleElement()
			.satisfies((job) -> assertThat(job.meta()).containsEntry("cron_name", "other"));
		// Tried again now and then, and fired as soon as the key is known.
		minute();
		assertThat(jobs()).hasSize(1);
		assertThat(this.crons.find("gate").orElseThrow().nextRunAt()).isEqualTo(START.plus(MINUTE));
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
