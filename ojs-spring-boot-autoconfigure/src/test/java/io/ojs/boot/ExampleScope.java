package io.ojs.boot;

import java.time.Instant;
import java.util.List;

import io.ojs.amqp.deadletter.DeadLetterReplayer;
import io.ojs.client.OjsOperations;
import io.ojs.cron.CronJobs;
import io.ojs.deadletter.DeadLetterFilter;
import io.ojs.deadletter.DeadLetters;
import io.ojs.event.EventFeed;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import io.ojs.queue.Queues;
import io.ojs.tenant.Tenants;
import io.ojs.test.jobs.SettableClock;
import io.ojs.test.jobs.TestJobs;
import io.ojs.workflow.Workflows;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The names that examples of the pages use without declaring them: injected beans, by the
 * names that the pages give them, and values of an application.
 */
@SuppressWarnings("NullAway")
public class ExampleScope {

	protected static final Logger log = LoggerFactory.getLogger(ExampleScope.class);

	protected OjsOperations ojs;

	protected Queues queues;

	protected CronJobs crons;

	protected Workflows workflows;

	protected DeadLetters deadLetters;

	protected DeadLetterReplayer replayer;

	protected EventFeed feed;

	protected Tenants tenants;

	protected TestJobs jobs;

	protected SettableClock clock;

	protected List<JobRequest> requests;

	protected Job job;

	protected DeadLetterFilter filter;

	protected String id;

	protected Instant time;

}
