package io.ojs.benchmark.contender;

import java.util.EnumSet;
import java.util.Set;

/** All contenders, by the names that they have in results. */
public enum Contenders {

	/** This project without a job store. */
	OJS("OJS, broker only", Uses.BROKER, EnumSet.allOf(Way.class),
			(site) -> new OjsContender(site, OjsApplication.BROKER)),

	/** This project with a job store. */
	OJS_STORE("OJS, job store", Uses.BOTH, EnumSet.allOf(Way.class),
			(site) -> new OjsContender(site, OjsApplication.STORE)),

	/** This project with a job store, from which workers fetch jobs without messages. */
	OJS_STORE_DELIVERY("OJS, job store, delivery=store", Uses.BOTH, EnumSet.allOf(Way.class),
			(site) -> new OjsContender(site, OjsApplication.STORE_DELIVERY)),

	/** This project without a job store, and without a setting of its workers. */
	OJS_DEFAULTS("OJS, broker only, default settings", Uses.BROKER, EnumSet.allOf(Way.class),
			(site) -> new OjsContender(site, OjsApplication.BROKER_DEFAULTS)),

	/** This project with a job store, and without a setting of its workers. */
	OJS_STORE_DEFAULTS("OJS, job store, default settings", Uses.BOTH, EnumSet.allOf(Way.class),
			(site) -> new OjsContender(site, OjsApplication.STORE_DEFAULTS)),

	/** The client of RabbitMQ, used as well as can be. */
	RAW("raw amqp-client", Uses.BROKER, EnumSet.allOf(Way.class), RawContender::new),

	/**
	 * The client of RabbitMQ with messages as large as those of this project, and with
	 * the same headers: the floor of what goes over a broker and speaks OJS.
	 */
	RAW_OJS("raw amqp-client, messages of OJS", Uses.BROKER, EnumSet.of(Way.BULK), RawOjsContender::new),

	/** Spring AMQP with a correlation object for each message. */
	SPRING("Spring AMQP, correlated confirms", Uses.BROKER, EnumSet.allOf(Way.class), SpringAmqpContender::correlated),

	/** Spring AMQP with many messages on one channel. */
	SPRING_INVOKE("Spring AMQP, invoke", Uses.BROKER, EnumSet.of(Way.BULK), SpringAmqpContender::invoke),

	/** JobRunr on PostgreSQL. */
	JOBRUNR("JobRunr", Uses.DATABASE, EnumSet.of(Way.BULK, Way.SINGLE), JobRunrContender::new),

	/** db-scheduler on PostgreSQL. */
	DB_SCHEDULER("db-scheduler", Uses.DATABASE, EnumSet.of(Way.BULK, Way.SINGLE), DbSchedulerContender::new),

	/** Quartz on PostgreSQL. */
	QUARTZ("Quartz", Uses.DATABASE, EnumSet.of(Way.SINGLE), QuartzContender::new),

	/** Rows, a transaction for each step of a job, told of in memory. */
	JDBC("JDBC by hand", Uses.DATABASE, EnumSet.of(Way.SINGLE), JdbcContender::oneByOne),

	/** Rows, a transaction for each step of a group of jobs, told of in memory. */
	JDBC_GROUPED("JDBC by hand, groups of 50", Uses.DATABASE, EnumSet.of(Way.BULK), JdbcContender::grouped),

	/** The client of RabbitMQ and rows, a transaction for each step of a job. */
	RAW_JDBC("raw amqp-client + JDBC by hand", Uses.BOTH, EnumSet.of(Way.SINGLE), RawJdbcContender::new),

	/**
	 * The client of RabbitMQ and rows, a transaction for each step of a group of jobs.
	 */
	RAW_JDBC_GROUPED("raw amqp-client + JDBC by hand, groups of 50", Uses.BOTH, EnumSet.of(Way.BULK),
			RawJdbcGroupsContender::new);

	private final String title;

	private final Uses uses;

	private final Set<Way> ways;

	private final Opening opening;

	Contenders(String title, Uses uses, Set<Way> ways, Opening opening) {
		this.title = title;
		this.uses = uses;
		this.ways = ways;
		this.opening = opening;
	}

	/**
	 * What readers know it by.
	 * @return the title
	 */
	public String title() {
		return this.title;
	}

	/**
	 * What it needs.
	 * @return broker, database, or both
	 */
	public Uses uses() {
		return this.uses;
	}

	/**
	 * How it can enqueue.
	 * @return its ways
	 */
	public Set<Way> ways() {
		return Set.copyOf(this.ways);
	}

	/**
	 * Whether another process can work what this one has enqueued. What cannot takes no
	 * part where there is another process, or a backlog.
	 * @return {@code false} if jobs are handed over in memory
	 */
	public boolean survivesProcess() {
		return this != JDBC && this != JDBC_GROUPED;
	}

	/**
	 * How many jobs it takes at least to tell its rate.
	 * @return many for who polls seldom: with few, that would be all there is to see
	 */
	public int leastJobs() {
		return (this == JOBRUNR) ? 10_000 : 200;
	}

	/**
	 * Starts it. It does not work jobs yet.
	 * @param site what it works with
	 * @return ready to enqueue
	 * @throws Exception if it does not start
	 */
	public Contender open(Site site) throws Exception {
		return this.opening.open(site);
	}

	/** What a contender needs. */
	public enum Uses {

		/** A broker and no database. */
		BROKER,

		/** A database and no broker. */
		DATABASE,

		/** A broker and a database. */
		BOTH

	}

	private interface Opening {

		Contender open(Site site) throws Exception;

	}

}
