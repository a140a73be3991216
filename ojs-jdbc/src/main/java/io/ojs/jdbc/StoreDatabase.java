package io.ojs.jdbc;

import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

import javax.sql.DataSource;

import io.ojs.engine.JobRow;
import io.ojs.engine.JobRowCodec;
import io.ojs.engine.Transitions;
import io.ojs.event.JobTransition;
import io.ojs.job.Job;
import io.ojs.store.StoreException;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The database that jobs are kept in. Nothing is asked of it before somebody uses a
 * store.
 */
public final class StoreDatabase {

	/** Bound to a thread while it does what was to be done after a commit. */
	private static final Object COMPLETING = new Object();

	private final DataSource dataSource;

	private final JdbcTemplate jdbc;

	private final TransactionTemplate transactions;

	private final TransactionTemplate newTransactions;

	private final StoreOptions options;

	private final EventLog events;

	private final PlainRuns plainRuns;

	private final JobRowCodec codec;

	private final JobRows jobs;

	private final List<StoreFeature> features;

	private final AfterCommit afterCommit;

	private final AutoCommit autoCommit;

	private volatile @Nullable Dialect dialect;

	private volatile @Nullable String id;

	/**
	 * Creates the database.
	 * @param dataSource leads to it
	 * @param transactionManager begins transactions on it; the one that the application
	 * uses, so that jobs are part of its transactions
	 * @param options what all stores on it have in common
	 */
	public StoreDatabase(DataSource dataSource, PlatformTransactionManager transactionManager, StoreOptions options) {
		this.dataSource = dataSource;
		this.jdbc = new JdbcTemplate(dataSource);
		this.transactions = new TransactionTemplate(transactionManager);
		this.newTransactions = new TransactionTemplate(transactionManager);
		this.newTransactions.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		this.options = options;
		this.events = new EventLog(this);
		this.plainRuns = new PlainRuns(this);
		this.codec = new JobRowCodec(options.codec(), options.clock());
		this.jobs = new JobRows(this);
		this.afterCommit = new AfterCommit(this);
		this.autoCommit = new AutoCommit(this);
		this.features = options.features().stream().map((feature) -> feature.apply(this)).toList();
	}

	DataSource dataSource() {
		return this.dataSource;
	}

	/** Sends statements. */
	public JdbcTemplate jdbc() {
		return this.jdbc;
	}

	/** What all stores on it have in common. */
	public StoreOptions options() {
		return this.options;
	}

	/** Appends to the feed of events. */
	public EventLog events() {
		return this.events;
	}

	/** Begins and ends runs with one statement. */
	PlainRuns plainRuns() {
		return this.plainRuns;
	}

	/** Reads and writes rows of jobs. */
	public JobRows jobs() {
		return this.jobs;
	}

	/** Makes rows of jobs, and jobs of rows. */
	public JobRowCodec codec() {
		return this.codec;
	}

	/** What becomes of jobs at one moment. */
	public Transitions transitions(Instant now) {
		return new Transitions(this.codec, this.options.retention(), this.options.deadLetterQueue(), now);
	}

	AfterCommit afterCommit() {
		return this.afterCommit;
	}

	AutoCommit autoCommit() {
		return this.autoCommit;
	}

	/** Which database it is. */
	public Dialect dialect() {
		Dialect known = this.dialect;
		if (known == null) {
			known = this.jdbc.execute((ConnectionCallback<Dialect>) Dialect::of);
			this.dialect = known;
		}
		return known;
	}

	/** Whether it is known to have a dialect, without asking. */
	boolean isKnownAs(Dialect dialect) {
		return this.dialect == dialect;
	}

	/** The id of this store, which messages of its jobs carry. Read once. */
	public String id() {
		String known = this.id;
		if (known == null) {
			known = read("read the id of the job store",
					() -> Objects.requireNonNull(
							this.jdbc.queryForObject("select id from ojs_store where name = 'jobs'", UUID.class)))
				.toString();
			this.id = known;
		}
		return known;
	}

	/**
	 * Does something in the caller's transaction, or else in one of its own.
	 * @param <T> what comes of it
	 * @param what what is done, for the message of an exception: "claim jobs"
	 * @param work does it
	 * @return what comes of it
	 * @throws StoreException if it fails
	 */
	public <T> T write(String what, Supplier<T> work) {
		return write(what, isCompleting() ? this.newTransactions : this.transactions, work);
	}

	private <T> T write(String what, TransactionTemplate template, Supplier<T> work) {
		AtomicBoolean done = new AtomicBoolean();
		try {
			return this.afterCommit.within(() -> template.execute((status) -> {
				T result = work.get();
				// Nothing is left to fail but the commit.
				done.set(true);
				return result;
			}));
		}
		catch (RuntimeException ex) {
			throw StoreFailures.translate(what, ex, done.get());
		}
	}

	/** Has what the caller's transaction has changed in memory written. */
	public void flush() {
		this.transactions.executeWithoutResult(TransactionStatus::flush);
	}

	/**
	 * Does something that is committed whatever becomes of the caller's transaction.
	 * @param <T> what comes of it
	 * @param what what is done, for the message of an exception
	 * @param work does it
	 * @return what comes of it
	 * @throws StoreException if it fails
	 */
	public <T> T writeAlone(String what, Supplier<T> work) {
		return write(what, this.newTransactions, work);
	}

	/**
	 * Does something that needs no transaction, and is part of the caller's if there is
	 * one.
	 * @param <T> what comes of it
	 * @param what what is done, for the message of an exception: "find a job"
	 * @param work does it
	 * @return what comes of it
	 * @throws StoreException if it fails
	 */
	public <T> T read(String what, Supplier<T> work) {
		try {
			return work.get();
		}
		catch (RuntimeException ex) {
			throw StoreFailures.translate(what, ex, false);
		}
	}

	/**
	 * Whether a transaction may take no longer than somebody said.
	 */
	boolean hasTimeout() {
		return this.transactions.getTransactionManager() instanceof AbstractPlatformTransactionManager manager
				&& manager.getDefaultTimeout() != TransactionDefinition.TIMEOUT_DEFAULT;
	}

	/**
	 * Whether the caller has a transaction open on this database.
	 */
	boolean isTransactionActive() {
		if (!TransactionSynchronizationManager.isActualTransactionActive() || isCompleting()) {
			return false;
		}
		if (!(TransactionSynchronizationManager.getResource(this.dataSource) instanceof ConnectionHolder holder)) {
			return false;
		}
		try {
			// Within the transaction of another database, connections are bound to the
			// thread too, but commit each statement by itself.
			return !holder.getConnection().getAutoCommit();
		}
		catch (SQLException ex) {
			// A broken connection commits nothing.
			return true;
		}
	}

	/**
	 * Does something while a transaction that was committed is still bound to the thread:
	 * who writes now needs a new one.
	 */
	public void afterTransaction(Runnable work) {
		if (TransactionSynchronizationManager.hasResource(COMPLETING)) {
			work.run();
			return;
		}
		Object holder = TransactionSynchronizationManager.getResource(this.dataSource);
		TransactionSynchronizationManager.bindResource(COMPLETING, (holder != null) ? holder : COMPLETING);
		try {
			work.run();
		}
		finally {
			TransactionSynchronizationManager.unbindResource(COMPLETING);
		}
	}

	/** Not within a new transaction that what is done after the commit has begun. */
	private boolean isCompleting() {
		Object completing = TransactionSynchronizationManager.getResource(COMPLETING);
		return completing != null && (completing == COMPLETING
				|| completing == TransactionSynchronizationManager.getResource(this.dataSource));
	}

	/**
	 * Inserts rows unless there are some with their ids, and writes what else there is to
	 * be written with them.
	 * @return the ids of those that were inserted; unless all were, the transaction must
	 * not be committed
	 */
	Set<UUID> insert(Collection<JobRow> rows, Transitions transitions) {
		if (dialect() == Dialect.POSTGRESQL && !rows.isEmpty() && transitions.changed().isEmpty()) {
			ToldInsert insert = ToldInsert.of(rows, transitions.events(), this.events);
			return Objects.requireNonNull(this.jdbc.execute((ConnectionCallback<Set<UUID>>) insert::free));
		}
		Set<UUID> inserted = this.jobs.insert(rows);
		save(transitions);
		return inserted;
	}

	/**
	 * Inserts rows for which nothing else is written, with one statement that is a
	 * transaction by itself.
	 * @return whether they were inserted; if not, none was
	 */
	boolean insertAlone(List<JobRow> rows, Transitions transitions) {
		try {
			ToldInsert insert = ToldInsert.of(rows, transitions.events(), this.events);
			return this.autoCommit.execute(insert::all).orElse(false);
		}
		catch (RuntimeException ex) {
			throw StoreFailures.translate("keep jobs", ex, true);
		}
	}

	/** Writes what has become of rows, and tells of it. */
	public void save(Transitions transitions) {
		// With the first update, which saves a round trip, if one row holds all events.
		List<EventLog.Told> told = this.events.rows(transitions.events());
		boolean together = this.jobs.update(transitions.changed(), (told.size() == 1) ? told.get(0) : null);
		if (!together) {
			this.events.insert(told);
		}
		within(transitions);
		tell(transitions);
	}

	/** Whether a feature has to be asked when a job is inserted or starts. */
	boolean concerns(JobRow row, Job job) {
		return this.features.stream().anyMatch((feature) -> feature.concerns(row, job));
	}

	/** Writes what features keep of rows that have changed. */
	public void within(Transitions transitions) {
		this.features.forEach((feature) -> feature.within(transitions));
	}

	/** Tells listeners, after the commit, what the store has made of jobs. */
	public void tell(Transitions transitions) {
		List<JobTransition> told = List.copyOf(transitions.told());
		if (!told.isEmpty()) {
			this.afterCommit.run(() -> told.forEach(this.options.listener()));
		}
	}

	/** Has the relay look for jobs as soon as the transaction is committed. */
	public void relayable() {
		whenCommitted(this.options.relayable());
	}

	/** Runs something once the transaction is committed; at once if there is none. */
	public void whenCommitted(Runnable action) {
		if (!TransactionSynchronizationManager.isSynchronizationActive()) {
			action.run();
			return;
		}
		TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

			@Override
			public void afterCommit() {
				action.run();
			}

		});
	}

	/** What has a part in what becomes of jobs. */
	List<StoreFeature> features() {
		return this.features;
	}

	/** The feature of a kind, which has to be among the options. */
	public <T extends StoreFeature> T feature(Class<T> type) {
		return this.features.stream()
			.filter(type::isInstance)
			.map(type::cast)
			.findFirst()
			.orElseThrow(() -> new IllegalStateException(
					"StoreOptions.features has no %s, which another store on the database needs."
						.formatted(type.getSimpleName())));
	}

}
