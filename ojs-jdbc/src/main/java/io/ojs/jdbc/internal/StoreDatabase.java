package io.ojs.jdbc.internal;

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

import io.ojs.event.internal.JobTransition;
import io.ojs.internal.engine.JobRow;
import io.ojs.internal.engine.JobRowCodec;
import io.ojs.internal.engine.Transitions;
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
 * The database that jobs are kept in. Nothing queries it before the first call of a
 * store.
 */
public final class StoreDatabase {

	/** Key that is bound to a thread while it runs actions after a commit. */
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
	 * @param transactionManager begins transactions on it; must be that of the
	 * application, so that jobs are part of its transactions
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

	public DataSource dataSource() {
		return this.dataSource;
	}

	/** The template that executes statements. */
	public JdbcTemplate jdbc() {
		return this.jdbc;
	}

	/** The options of all stores on this database. */
	public StoreOptions options() {
		return this.options;
	}

	/** Appends to the feed of events. */
	public EventLog events() {
		return this.events;
	}

	public PlainRuns plainRuns() {
		return this.plainRuns;
	}

	/** Reads and writes rows of jobs. */
	public JobRows jobs() {
		return this.jobs;
	}

	/** Converts jobs to rows, and rows to jobs. */
	public JobRowCodec codec() {
		return this.codec;
	}

	/** Returns transitions of jobs that happen at one moment. */
	public Transitions transitions(Instant now) {
		return new Transitions(this.codec, this.options.retention(), this.options.deadLetterQueue(),
				this.options.actor(), now);
	}

	public AfterCommit afterCommit() {
		return this.afterCommit;
	}

	public AutoCommit autoCommit() {
		return this.autoCommit;
	}

	/** The dialect of the database. The first call asks the database. */
	public Dialect dialect() {
		Dialect known = this.dialect;
		if (known == null) {
			known = this.jdbc.execute((ConnectionCallback<Dialect>) Dialect::of);
			this.dialect = known;
		}
		return known;
	}

	/** Whether the database is known to have a dialect. Does not ask the database. */
	public boolean isKnownAs(Dialect dialect) {
		return this.dialect == dialect;
	}

	/**
	 * The id of this store, which messages of its jobs carry. The first call reads it
	 * from the database.
	 */
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
	 * Runs work in the caller's transaction, or else in a transaction of its own.
	 * @param what what the work does, for the message of an exception: "claim jobs"
	 * @throws StoreException if the database fails
	 */
	public <T> T write(String what, Supplier<T> work) {
		return write(what, isCompleting() ? this.newTransactions : this.transactions, work);
	}

	private <T> T write(String what, TransactionTemplate template, Supplier<T> work) {
		AtomicBoolean done = new AtomicBoolean();
		try {
			return this.afterCommit.within(() -> template.execute((status) -> {
				T result = work.get();
				// From here on, only the commit can fail.
				done.set(true);
				return result;
			}));
		}
		catch (RuntimeException ex) {
			throw StoreFailures.translate(what, ex, done.get());
		}
	}

	/**
	 * Writes changes that the caller's transaction still holds in memory, such as those
	 * of a persistence context.
	 */
	public void flush() {
		this.transactions.executeWithoutResult(TransactionStatus::flush);
	}

	/**
	 * Runs work in a transaction of its own, which commits independently of the caller's
	 * transaction.
	 * @param what what the work does, for the message of an exception
	 * @throws StoreException if the database fails
	 */
	public <T> T writeAlone(String what, Supplier<T> work) {
		return write(what, this.newTransactions, work);
	}

	/**
	 * Runs work that needs no transaction, and joins the caller's transaction if there is
	 * one.
	 * @param what what the work does, for the message of an exception: "find a job"
	 * @throws StoreException if the database fails
	 */
	public <T> T read(String what, Supplier<T> work) {
		try {
			return work.get();
		}
		catch (RuntimeException ex) {
			throw StoreFailures.translate(what, ex, false);
		}
	}

	/** Whether the transaction manager has a default timeout. */
	public boolean hasTimeout() {
		return this.transactions.getTransactionManager() instanceof AbstractPlatformTransactionManager manager
				&& manager.getDefaultTimeout() != TransactionDefinition.TIMEOUT_DEFAULT;
	}

	/** Whether the caller has a transaction open on this database. */
	public boolean isTransactionActive() {
		if (!TransactionSynchronizationManager.isActualTransactionActive() || isCompleting()) {
			return false;
		}
		if (!(TransactionSynchronizationManager.getResource(this.dataSource) instanceof ConnectionHolder holder)) {
			return false;
		}
		try {
			// Within a transaction of another database, a connection to this one is bound
			// to the thread too, but commits each statement by itself.
			return !holder.getConnection().getAutoCommit();
		}
		catch (SQLException ex) {
			// A broken connection commits nothing.
			return true;
		}
	}

	/**
	 * Runs work while a transaction that was committed is still bound to the thread. The
	 * work needs a new transaction to write, which {@link #write} begins.
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

	/**
	 * Whether the thread runs actions after a commit, and has begun no new transaction
	 * for them.
	 */
	private boolean isCompleting() {
		Object completing = TransactionSynchronizationManager.getResource(COMPLETING);
		return completing != null && (completing == COMPLETING
				|| completing == TransactionSynchronizationManager.getResource(this.dataSource));
	}

	/**
	 * Inserts the rows whose ids are not taken, and writes all that the transitions
	 * contain.
	 * @return the ids of the rows that were inserted; if one is missing, the caller must
	 * not commit the transaction
	 */
	public Set<UUID> insert(Collection<JobRow> rows, Transitions transitions) {
		if (dialect() == Dialect.POSTGRESQL && !rows.isEmpty() && transitions.changed().isEmpty()) {
			ToldInsert insert = ToldInsert.of(rows, transitions.events(), this.events);
			return Objects.requireNonNull(this.jdbc.execute((ConnectionCallback<Set<UUID>>) insert::free));
		}
		Set<UUID> inserted = this.jobs.insert(rows);
		this.jobs.label(rows.stream().filter((row) -> inserted.contains(row.id)).toList());
		save(transitions);
		return inserted;
	}

	/**
	 * Inserts the rows of jobs of other producers whose ids are not taken.
	 * @return the ids of the rows that were inserted
	 */
	public Set<UUID> adopt(Collection<JobRow> rows) {
		Set<UUID> inserted = this.jobs.insert(rows);
		rows.stream().filter((row) -> inserted.contains(row.id)).forEach((row) -> contentChanged(row, null));
		return inserted;
	}

	/**
	 * Inserts rows that need no other change, with one statement that is a transaction by
	 * itself.
	 * @return whether all were inserted; otherwise none was
	 */
	public boolean insertAlone(List<JobRow> rows, Transitions transitions) {
		try {
			ToldInsert insert = ToldInsert.of(rows, transitions.events(), this.events);
			return this.autoCommit.execute(insert::all).orElse(false);
		}
		catch (RuntimeException ex) {
			throw StoreFailures.translate("keep jobs", ex, true);
		}
	}

	/**
	 * Writes the rows that transitions have changed, appends the events, and tells
	 * listeners after the commit.
	 */
	public void save(Transitions transitions) {
		this.jobs.update(transitions.changed(), this.events.rows(transitions.events()));
		within(transitions);
		tell(transitions);
	}

	/** Whether a feature has to be asked when a job is inserted or starts. */
	public boolean concerns(JobRow row, Job job) {
		return this.features.stream().anyMatch((feature) -> feature.concerns(row, job));
	}

	/** Returns the labels of a new job. */
	List<String> labels(Job job) {
		return this.features.stream().flatMap((feature) -> feature.labels(job).stream()).toList();
	}

	/**
	 * Lets features write what they keep about the content of a job that was adopted or
	 * replaced.
	 * @param before what the job was; {@code null} if it is new to the store
	 */
	public void contentChanged(JobRow row, @Nullable Job before) {
		this.features.forEach((feature) -> feature.contentChanged(row, before));
	}

	/** Lets features write what they keep about rows that have changed. */
	public void within(Transitions transitions) {
		this.features.forEach((feature) -> feature.within(transitions));
	}

	/**
	 * Tells listeners, after the commit, about the transitions that the store has made
	 * itself.
	 */
	public void tell(Transitions transitions) {
		List<JobTransition> told = List.copyOf(transitions.told());
		if (!told.isEmpty()) {
			this.afterCommit.run(() -> told.forEach(this.options.listener()));
		}
	}

	/** Wakes the relay after the commit. */
	public void relayable() {
		whenCommitted(this.options.relayable());
	}

	/** Runs an action after the commit of the transaction; at once if there is none. */
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

	/** The features that take part in state transitions. */
	public List<StoreFeature> features() {
		return this.features;
	}

	/**
	 * Returns the feature of a type.
	 * @throws IllegalStateException if the options do not name it
	 */
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
