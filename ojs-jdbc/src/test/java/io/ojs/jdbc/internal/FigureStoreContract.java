package io.ojs.jdbc.internal;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import io.ojs.internal.engine.Times;
import io.ojs.internal.figures.StoreFigures;
import io.ojs.internal.figures.Troubles;
import io.ojs.jdbc.internal.stats.JdbcFigureStore;
import io.ojs.jdbc.internal.version.JdbcHandlerStore;
import io.ojs.job.JobState;
import io.ojs.job.internal.HandledJobs;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What waits is counted, up to a bound.
 */
abstract class FigureStoreContract extends StoreContract {

	private static final Instant EVER = Instant.parse("2000-01-01T00:00:00Z");

	private JdbcFigureStore figures;

	@BeforeEach
	void open() {
		this.figures = new JdbcFigureStore(database().database);
	}

	private String insert(String queue, JobState state, Instant enqueuedAt, int priority) {
		String id = database().id();
		database().keep(database().encoded(id, 3, (job) -> job.state(state)), null);
		database().jdbc()
			.update("update ojs_job set queue = ?, enqueued_at = ?, priority = ?, relay_at = null "
					+ "where id = cast(? as uuid)", queue, Times.utc(enqueuedAt), priority, id);
		return id;
	}

	private void set(String id, String columns, Object... values) {
		Object[] parameters = Arrays.copyOf(values, values.length + 1);
		parameters[values.length] = id;
		database().jdbc().update("update ojs_job set " + columns + " where id = cast(? as uuid)", parameters);
	}

	private Troubles troubles() {
		return this.figures.troubles(TestStores.NOW, EVER, TestStores.NOW.plusSeconds(60));
	}

	@Test
	void jobsThatHaveNotEndedAreCountedByQueueAndState() {
		insert("a", JobState.AVAILABLE, TestStores.NOW, 0);
		insert("a", JobState.AVAILABLE, TestStores.NOW, 0);
		set(insert("a", JobState.AVAILABLE, TestStores.NOW, 0), "blocked_by = 'stripe'");
		insert("a", JobState.PENDING, TestStores.NOW, 0);
		insert("b", JobState.SCHEDULED, TestStores.NOW, 0);
		set(insert("b", JobState.AVAILABLE, TestStores.NOW, 0), "state = 'retryable', fetchable = false");
		database().taken(database().available(), TestStores.NOW);
		String ended = database().available().job().id();
		database().jobs.cancel(ended, TestStores.NOW);
		StoreFigures found = this.figures.figures(TestStores.NOW);
		assertThat(found.complete()).isTrue();
		assertThat(found.queues()).containsOnlyKeys("a", "b", "mail");
		assertThat(found.queues().get("a")).isEqualTo(new StoreFigures.Depth(0, 2, 1, 0, 0, 1, TestStores.NOW, true));
		assertThat(found.queues().get("b")).isEqualTo(new StoreFigures.Depth(1, 0, 0, 0, 1, 0, null, true));
		assertThat(found.queues().get("mail")).isEqualTo(new StoreFigures.Depth(0, 0, 0, 1, 0, 0, null, true));
	}

	@Test
	void oldestAvailableJobIsFoundAmongAllPriorities() {
		insert("a", JobState.AVAILABLE, TestStores.NOW, 5);
		insert("a", JobState.AVAILABLE, TestStores.NOW.minusSeconds(50), -3);
		insert("a", JobState.AVAILABLE, TestStores.NOW.minusSeconds(40), -3);
		insert("b", JobState.AVAILABLE, TestStores.NOW.minusSeconds(60), 0);
		insert("c", JobState.AVAILABLE, TestStores.NOW.minusSeconds(70), 9);
		// A job that a worker has begun stays in the index of those that it may fetch.
		set(insert("c", JobState.AVAILABLE, TestStores.NOW.minusSeconds(90), 9), "state = 'active'");
		Map<String, StoreFigures.Depth> queues = this.figures.figures(TestStores.NOW).queues();
		assertThat(queues.get("a").oldestAvailableAt()).isEqualTo(TestStores.NOW.minusSeconds(50));
		assertThat(queues.get("b").oldestAvailableAt()).isEqualTo(TestStores.NOW.minusSeconds(60));
		assertThat(queues.get("c").oldestAvailableAt()).isEqualTo(TestStores.NOW.minusSeconds(70));
	}

	@Test
	void beyondTheBoundEachQueueHasItsPart() {
		for (int i = 0; i < 30; i++) {
			insert("a", JobState.AVAILABLE, TestStores.NOW, 0);
		}
		insert("z", JobState.PENDING, TestStores.NOW, 0);
		assertThat(new JdbcFigureStore(database().database, 31, 10).figures(TestStores.NOW).complete()).isTrue();
		StoreFigures found = new JdbcFigureStore(database().database, 30, 10).figures(TestStores.NOW);
		assertThat(found.complete()).isFalse();
		assertThat(found.deadLettersComplete()).isTrue();
		assertThat(found.queues().get("a").available()).isEqualTo(3);
		assertThat(found.queues().get("a").complete()).isFalse();
		assertThat(found.queues().get("z").pending()).isEqualTo(1);
		assertThat(found.queues().get("z").complete()).isTrue();
	}

	private void dead(String queue, Instant at) {
		set(insert(queue, JobState.AVAILABLE, at, 0),
				"state = 'discarded', ended_as = 'discarded', ended_at = ?, "
						+ "fetchable = false, dead_lettered_at = ?, dead_letter_queue = ?",
				Times.utc(at), Times.utc(at), queue);
	}

	@Test
	void deadLettersAreCountedAndThoseOfTheLastTimeToo() {
		dead("a", TestStores.NOW.minusSeconds(5));
		dead("a", TestStores.NOW.minusSeconds(3));
		dead("a", TestStores.NOW.minusSeconds(7200));
		dead("b", TestStores.NOW.minusSeconds(7200));
		StoreFigures found = this.figures.figures(TestStores.NOW);
		assertThat(found.deadLetters()).isEqualTo(Map.of("a", 3L, "b", 1L));
		assertThat(found.deadLettersComplete()).isTrue();
		assertThat(found.queues()).isEmpty();
		assertThat(new JdbcFigureStore(database().database, 10, 3).figures(TestStores.NOW))
			.isEqualTo(new StoreFigures(Map.of(), Map.of("a", 1L, "b", 1L), found.outbox(), true, false));
		assertThat(this.figures.troubles(TestStores.NOW, TestStores.NOW.minusSeconds(3600), TestStores.NOW).fresh())
			.containsExactly(new Troubles.Fresh("a", 2, TestStores.NOW.minusSeconds(5)));
	}

	@Test
	void outboxHasJobsThatAreDueAndNotPublished() {
		assertThat(this.figures.figures(TestStores.NOW).outbox()).isEqualTo(new StoreFigures.Outbox(0, null));
		set(insert("a", JobState.AVAILABLE, TestStores.NOW, 0), "relay_at = ?",
				Times.utc(TestStores.NOW.minusSeconds(9)));
		set(insert("a", JobState.SCHEDULED, TestStores.NOW, 0), "relay_at = ?",
				Times.utc(TestStores.NOW.minusSeconds(3)));
		set(insert("a", JobState.AVAILABLE, TestStores.NOW, 0), "relay_at = ?",
				Times.utc(TestStores.NOW.plusSeconds(9)));
		set(insert("a", JobState.AVAILABLE, TestStores.NOW, 0), "state = 'active', relay_at = ?",
				Times.utc(TestStores.NOW.minusSeconds(20)));
		assertThat(this.figures.figures(TestStores.NOW).outbox())
			.isEqualTo(new StoreFigures.Outbox(2, TestStores.NOW.minusSeconds(9)));
	}

	@Test
	void limitsAreFoundByTheFirstJobInTheirLine() {
		set(insert("a", JobState.AVAILABLE, TestStores.NOW.minusSeconds(80), 0), "blocked_by = 'stripe'");
		set(insert("b", JobState.AVAILABLE, TestStores.NOW.minusSeconds(40), 7), "blocked_by = 'stripe'");
		set(insert("c", JobState.AVAILABLE, TestStores.NOW.minusSeconds(60), 0), "blocked_by = 'x@acme'");
		assertThat(troubles().limits()).containsExactly(
				new Troubles.FullLimit("x@acme", null, "c", TestStores.NOW.minusSeconds(60)),
				new Troubles.FullLimit("stripe", null, "b", TestStores.NOW.minusSeconds(40)));
		assertThat(this.figures.troubles(TestStores.NOW, EVER, TestStores.NOW.minusSeconds(50)).limits()).hasSize(1);
	}

	@Test
	void limitsOfATenantAndOfAQueueAreNoKeysThatJobsName() {
		set(insert("a", JobState.AVAILABLE, TestStores.NOW.minusSeconds(80), 0), "blocked_by = '@running@acme'");
		set(insert("b", JobState.AVAILABLE, TestStores.NOW.minusSeconds(40), 0), "blocked_by = '@queue@b'");
		assertThat(troubles().limits()).containsExactly(
				new Troubles.FullLimit(null, "acme", "a", TestStores.NOW.minusSeconds(80)),
				new Troubles.FullLimit(null, null, "b", TestStores.NOW.minusSeconds(40)));
	}

	@Test
	void processesAndTheirQueuesAreKnown() {
		new JdbcHandlerStore(database().database).announce("1@host", Map.of("a", 3), HandledJobs.ALL, TestStores.NOW);
		new JdbcHandlerStore(database().database).announce("2@host", Map.of("b", 3), HandledJobs.ALL,
				TestStores.NOW.minusSeconds(40));
		database().jdbc()
			.update("insert into ojs_fetched_queue (queue, fetched_at) values ('c', ?)", Times.utc(TestStores.NOW));
		assertThat(troubles().workedQueues()).isEqualTo(Set.of("a", "c"));
		assertThat(troubles().processes()).containsExactly(
				new Troubles.Process("2@host", TestStores.NOW.minusSeconds(40)),
				new Troubles.Process("1@host", TestStores.NOW));
	}

	@Test
	void cronsFailByTheirLastRun() {
		String job = insert("a", JobState.AVAILABLE, TestStores.NOW, 0);
		cron("failed", true, "triggered", job, null);
		cron("off", false, "triggered", job, null);
		cron("skipped", true, "skipped", null, "backpressure");
		cron("overlap", true, "skipped", job, "overlap_skip");
		cron("fine", true, "triggered", insert("a", JobState.AVAILABLE, TestStores.NOW, 0), null);
		assertThat(troubles().crons()).extracting(Troubles.FailedCron::name).containsExactly("skipped");
		set(job, "state = 'discarded', ended_as = 'discarded', ended_at = ?, error_type = 'a.B'",
				Times.utc(TestStores.NOW));
		assertThat(troubles().crons()).containsExactly(new Troubles.FailedCron("failed", TestStores.NOW, job, "a.B"),
				new Troubles.FailedCron("skipped", TestStores.NOW, null, "because"));
		run("failed", "triggered", null, null, TestStores.NOW.plusSeconds(60));
		assertThat(troubles().crons()).extracting(Troubles.FailedCron::name).containsExactly("skipped");
	}

	private void cron(String name, boolean enabled, String outcome, String job, String reason) {
		database().jdbc()
			.update("insert into ojs_cron (name, expression, zone, overlap, declared_enabled, enabled, source, created_at, "
					+ "run_count, job) values (?, '@daily', 'UTC', 'allow', true, ?, 'api', ?, 1, '{}')", name, enabled,
					Times.utc(TestStores.NOW));
		run(name, outcome, job, reason, TestStores.NOW);
	}

	private void run(String name, String outcome, String job, String reason, Instant at) {
		database().jdbc()
			.update("insert into ojs_cron_run (cron, scheduled_at, fired_at, outcome, job_id, reason, detail) "
					+ "values (?, ?, ?, ?, cast(? as uuid), ?, 'because')", name, Times.utc(at), Times.utc(at), outcome,
					job, reason);
	}

	@Test
	void operationsThatHaveNotEndedAreFound() {
		UUID running = UUID.randomUUID();
		operation(running, null);
		operation(UUID.randomUUID(), TestStores.NOW);
		assertThat(troubles().operations()).containsExactly(new Troubles.Operation(running.toString(), "replay",
				"running", "acme", "ann", 900L, 120, TestStores.NOW));
		database().jdbc().update("delete from ojs_operation");
		assertThat(troubles().operations()).isEqualTo(List.of());
	}

	private void operation(UUID id, Instant endedAt) {
		database().jdbc()
			.update("insert into ojs_operation (id, action, state, tenant, asked_by, request, matched, matched_all, "
					+ "done, failed, skipped, errors, lease_until, created_at, updated_at, ended_at) values (?, 'replay', "
					+ "'running', 'acme', 'ann', '{}', 900, true, 120, 0, '{}', '[]', ?, ?, ?, ?)", id,
					Times.utc(TestStores.NOW), Times.utc(TestStores.NOW), Times.utc(TestStores.NOW),
					(endedAt != null) ? Times.utc(endedAt) : null);
	}

}
