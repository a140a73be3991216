package io.ojs.jdbc.internal;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.ojs.client.internal.JobControl;
import io.ojs.event.StoredEvent;
import io.ojs.event.internal.JobEvents;
import io.ojs.jdbc.internal.relay.JdbcRelayStore;
import io.ojs.job.Job;
import io.ojs.job.JobQuery;
import io.ojs.job.JobState;
import io.ojs.job.Rate;
import io.ojs.job.UniquePolicy;
import io.ojs.store.JobNotStoredException;
import io.ojs.store.StoreUnavailableException;
import io.ojs.store.internal.Admission;
import io.ojs.store.internal.NewJob;
import io.ojs.store.internal.relay.Cancellations;
import io.ojs.store.internal.relay.CommittedJobs;
import io.ojs.store.internal.relay.DirectPublisher;
import io.ojs.store.internal.relay.JobPublisher;
import io.ojs.store.internal.relay.Outbox;
import io.ojs.store.internal.relay.PublishReport;
import io.ojs.store.internal.relay.PublishedJobs;
import io.ojs.store.internal.relay.Relay;
import io.ojs.store.internal.relay.RelayedJob;
import io.ojs.test.internal.database.PostgresDatabase;
import io.ojs.test.internal.database.PostgresServer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Jobs for which nothing else is asked are inserted with one statement, which is a
 * transaction by itself, and become what they become in a transaction.
 */
class LoneInsertTests {

	private final PostgresDatabase database = PostgresServer.shared().newDatabase();

	private final TestStores stores = new TestStores(TestStores.of(this.database));

	private final CountedStatements statements = new CountedStatements(this.stores.database);

	private final JdbcJobStore counted = new JdbcJobStore(this.statements.database());

	@AfterEach
	void close() {
		this.stores.close();
		this.database.close();
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 3, 30 })
	void takeOneStatement(int many) {
		List<NewJob> jobs = Stream.generate(this::plain).limit(many).toList();
		this.counted.insert(jobs);
		assertThat(this.statements.count()).isOne();
		assertThat(this.statements.plain()).isOne();
		assertThat(jobs).extracting((job) -> this.stores.state(job.encoded())).containsOnly(JobState.AVAILABLE);
	}

	@Test
	void becomeWhatTheyBecomeInATransaction() {
		NewJob alone = plain();
		List<NewJob> together = List.of(plain(), plain());
		List<NewJob> inTransaction = List.of(plain(), plain());
		this.counted.insert(List.of(alone));
		this.counted.insert(together);
		assertThat(this.statements.plain()).isEqualTo(2);
		this.stores.users().executeWithoutResult((status) -> this.stores.jobs.insert(inTransaction));
		for (NewJob job : Stream.of(together, inTransaction).flatMap(List::stream).toList()) {
			assertThat(row(job)).isEqualTo(row(alone));
			assertThat(event(job)).isEqualTo(event(alone));
		}
	}

	@Test
	void areToldInTheOrderInWhichTheyCame() {
		List<NewJob> jobs = new ArrayList<>(Stream.generate(this::plain).limit(1200).toList());
		jobs.set(7, scheduled());
		jobs.set(8, pending());
		Collections.shuffle(jobs, new Random(7));
		this.counted.insert(jobs);
		assertThat(this.statements.plain()).isOne();
		assertThat(this.stores.events()).extracting(StoredEvent::subject)
			.containsExactlyElementsOf(jobs.stream()
				.map((job) -> job.encoded().job())
				.filter((job) -> job.state() != JobState.PENDING)
				.map(Job::id)
				.toList());
		assertThat(this.stores.jdbc().queryForObject("select count(*) from ojs_event", Integer.class))
			.as("as few rows as can be")
			.isEqualTo(3);
	}

	@ParameterizedTest
	@EnumSource(Asking.class)
	void thoseForWhichMoreIsAskedNeedATransaction(Asking asking) {
		this.stores.queueRates.put("slow", new Rate(1, Duration.ofMinutes(1)));
		this.counted.insert(List.of(plain(), asking.job.apply(this.stores)));
		assertThat(this.statements.count()).isPositive();
		assertThat(this.statements.plain()).isZero();
	}

	@Test
	void arePartOfTheTransactionOfTheirCaller() {
		NewJob job = plain();
		this.stores.users().executeWithoutResult((status) -> {
			this.stores.jobs.insert(List.of(job));
			status.setRollbackOnly();
		});
		assertThat(this.stores.jobs.find(job.encoded().job().id())).isEmpty();
	}

	@Test
	void somebodyWhoHasToBeAskedIsAskedInATransaction() {
		this.counted.insert(List.of(plain()), (jobs) -> assertThat(jobs).hasSize(1));
		assertThat(this.statements.plain()).isZero();
	}

	@ParameterizedTest
	@EnumSource(Break.class)
	void whoeverGetsNoAnswerAsksOnceMoreAndKeepsTheJobOnce(Break where) {
		BreakingConnections connections = new BreakingConnections(this.stores.dataSource());
		JdbcTransactionManager transactions = new JdbcTransactionManager(connections);
		StoreDatabase breaking = new StoreDatabase(connections, transactions, this.stores.database.options());
		breaking.dialect();
		List<String> enqueued = new CopyOnWriteArrayList<>();
		Outbox outbox = outbox(breaking, enqueued);
		connections.breaks = where;
		NewJob job = plain();
		assertThat(outbox.enqueue(List.of(job.encoded()), List.of(Map.of()))).containsExactly(job.encoded().job());
		assertThat(connections.broken).hasValue(1);
		assertThat(this.stores.events(job.encoded())).containsExactly("job.enqueued");
		assertThat(enqueued).containsExactly("job.enqueued");
	}

	@ParameterizedTest
	@CsvSource({ "BEFORE, 1", "AFTER, 1", "BEFORE, 3", "AFTER, 3" })
	void theStoreSaysThatItsAnswerIsMissing(Break where, int many) {
		BreakingConnections connections = new BreakingConnections(this.stores.dataSource());
		StoreDatabase on = new StoreDatabase(connections, new JdbcTransactionManager(connections),
				this.stores.database.options());
		on.dialect();
		connections.breaks = where;
		List<NewJob> jobs = Stream.generate(this::plain).limit(many).toList();
		assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> new JdbcJobStore(on).insert(jobs))
			.satisfies((ex) -> assertThat(ex.isOutcomeUnknown()).isTrue());
		assertThat(this.stores.jobs.list(JobQuery.first(10))).hasSize((where == Break.AFTER) ? many : 0);
	}

	@ParameterizedTest
	@EnumSource(Break.class)
	void theStoreSaysThatTheAnswerToItsCommitIsMissing(Break where) {
		BreakingConnections connections = new BreakingConnections(this.stores.dataSource());
		StoreDatabase on = new StoreDatabase(connections, new JdbcTransactionManager(connections),
				this.stores.database.options());
		connections.breaksAt = "commit";
		connections.breaks = where;
		NewJob job = plain();
		assertThatExceptionOfType(StoreUnavailableException.class)
			.isThrownBy(() -> new JdbcJobStore(on).insert(List.of(job), (jobs) -> assertThat(jobs).hasSize(1)))
			.satisfies((ex) -> assertThat(ex.isOutcomeUnknown()).isTrue());
		assertThat(this.stores.jobs.list(JobQuery.first(10))).hasSize((where == Break.AFTER) ? 1 : 0);
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 3 })
	void whatMayOnlyBeWrittenWithinTransactionsIs(int many) {
		FaultyConnections connections = new FaultyConnections(this.stores.dataSource());
		StoreDatabase on = new StoreDatabase(connections, new JdbcTransactionManager(connections),
				this.stores.database.options());
		on.dialect();
		connections.failure = new SQLException("cannot execute INSERT in a read-only transaction", "25006");
		List<NewJob> jobs = Stream.generate(this::plain).limit(many).toList();
		new JdbcJobStore(on).insert(jobs);
		assertThat(connections.plain).hasValue(1);
		assertThat(jobs).extracting((job) -> this.stores.state(job.encoded())).containsOnly(JobState.AVAILABLE);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void whereThereIsNoConnectionNothingWasSent(boolean known) {
		AtomicBoolean away = new AtomicBoolean();
		DataSource leaving = new DelegatingDataSource(this.stores.dataSource()) {

			@Override
			public Connection getConnection() throws SQLException {
				if (away.get()) {
					throw new SQLException("Connection refused.", "08001");
				}
				return super.getConnection();
			}

		};
		StoreDatabase on = new StoreDatabase(leaving, new JdbcTransactionManager(leaving),
				this.stores.database.options());
		if (known) {
			on.dialect();
		}
		away.set(true);
		Outbox outbox = outbox(on, new CopyOnWriteArrayList<>());
		assertThatExceptionOfType(JobNotStoredException.class)
			.isThrownBy(() -> outbox.enqueue(List.of(plain().encoded()), List.of(Map.of())))
			.satisfies((ex) -> assertThat(ex.isOutcomeUnknown()).isFalse());
	}

	private Outbox outbox(StoreDatabase on, List<String> enqueued) {
		JdbcRelayStore relay = new JdbcRelayStore(on);
		PublishedJobs published = new PublishedJobs(relay, Clock.systemUTC());
		CommittedJobs committed = new CommittedJobs(new DirectPublisher(new NoBroker(), published, Clock.systemUTC()),
				new Relay(relay, new NoBroker(), Clock.systemUTC(), 1, Duration.ofHours(1)), (queue) -> false,
				Duration.ofSeconds(10));
		return new Outbox(new JdbcJobStore(on), new JdbcStoreTransactions(on), Admission.OPEN, committed,
				new Cancellations(new NoWorkers()), new JobEvents(List.of((event) -> enqueued.add(event.name()))),
				Clock.systemUTC());
	}

	private NewJob plain() {
		return TestStores.newJob(this.stores.encoded((job) -> job), TestStores.LATER);
	}

	private NewJob scheduled() {
		return TestStores.newJob(
				this.stores
					.encoded((job) -> job.state(JobState.SCHEDULED).scheduledAt(TestStores.time(TestStores.LATER))),
				TestStores.LATER);
	}

	private NewJob pending() {
		return TestStores.newJob(this.stores.encoded((job) -> job.state(JobState.PENDING)), null);
	}

	private Map<String, @Nullable Object> row(NewJob job) {
		Map<String, @Nullable Object> row = new TreeMap<>();
		this.stores.jdbc()
			.queryForMap("select * from ojs_job where id = ?", UUID.fromString(job.encoded().job().id()))
			.forEach((column, value) -> row.put(column.toLowerCase(Locale.ROOT), value));
		row.remove("id");
		row.computeIfPresent("envelope", (column, value) -> value.toString().replace(job.encoded().job().id(), "ID"));
		return row;
	}

	private List<Object> event(NewJob job) {
		StoredEvent event = this.stores.events()
			.stream()
			.filter((each) -> each.subject().equals(job.encoded().job().id()))
			.findFirst()
			.orElseThrow();
		return List.of(event.type(), event.source(), event.time(), event.queue(), String.valueOf(event.tenant()),
				event.data());
	}

	/**
	 * What a job has for which more is asked.
	 */
	enum Asking {

		UNIQUE((stores) -> TestStores.newJob(stores.unique("a", UniquePolicy.DEFAULT, (job) -> job), TestStores.LATER)),

		TENANT((stores) -> TestStores.newJob(stores.encoded((job) -> job.meta(Map.of("tenant_id", "acme"))),
				TestStores.LATER)),

		ORDER((stores) -> new NewJob(stores.encoded((job) -> job), Map.of(), TestStores.LATER, true)),

		LIMIT((stores) -> TestStores.newJob(stores.encoded((job) -> job.queue("slow")), TestStores.LATER));

		private final Function<TestStores, NewJob> job;

		Asking(Function<TestStores, NewJob> job) {
			this.job = job;
		}

	}

	/**
	 * Where a connection breaks.
	 */
	enum Break {

		/** Nothing has reached the database. */
		BEFORE,

		/** The database has committed, and its answer is lost. */
		AFTER

	}

	/** Connections of which one breaks at a statement that commits by itself. */
	private static final class BreakingConnections extends DelegatingDataSource {

		private final AtomicInteger broken = new AtomicInteger();

		private @Nullable Break breaks;

		private String breaksAt = "executeQuery";

		BreakingConnections(DataSource dataSource) {
			super(dataSource);
		}

		@Override
		public Connection getConnection() throws SQLException {
			Connection connection = super.getConnection();
			return around(Connection.class, connection,
					(method, result) -> (result instanceof PreparedStatement statement && this.breaks != null)
							? around(PreparedStatement.class, statement, this::answered) : answered(method, result));
		}

		private @Nullable Object answered(Method method, @Nullable Object result) throws SQLException {
			if (method.getName().equals(this.breaksAt) && this.breaks == Break.AFTER) {
				breakOff();
			}
			return result;
		}

		private void breakOff() throws SQLException {
			this.breaks = null;
			this.broken.incrementAndGet();
			throw new SQLException("An I/O error occurred while sending to the backend.", "08006");
		}

		private <T> T around(Class<T> type, T target, Answer answer) {
			return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type },
					(proxy, method, arguments) -> {
						if (method.getName().equals(this.breaksAt) && this.breaks == Break.BEFORE) {
							breakOff();
						}
						try {
							return answer.of(method, method.invoke(target, arguments));
						}
						catch (InvocationTargetException ex) {
							throw ex.getCause();
						}
					}));
		}

		/**
		 * What a caller gets instead of an answer.
		 */
		private interface Answer {

			@Nullable Object of(Method method, @Nullable Object result) throws SQLException;

		}

	}

	/** No worker is asked to let go of a job. */
	private static final class NoWorkers implements JobControl {

		@Override
		public void cancel(String queue, String jobId) {
			// No worker is there.
		}

		@Override
		public Optional<Job> find(String queue, String jobId) {
			return Optional.empty();
		}

	}

	/** No broker is reached. */
	private static final class NoBroker implements JobPublisher {

		@Override
		public boolean isReady() {
			return false;
		}

		@Override
		public CompletableFuture<PublishReport> publish(List<RelayedJob> jobs) {
			return CompletableFuture.completedFuture(PublishReport.NOTHING);
		}

		@Override
		public long waiting(String queue) {
			return 0;
		}

		@Override
		public int consumers(String queue) {
			return 0;
		}

	}

}
