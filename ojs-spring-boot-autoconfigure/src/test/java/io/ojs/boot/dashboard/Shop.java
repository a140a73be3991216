package io.ojs.boot.dashboard;

import io.ojs.test.internal.browser.Browser;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

import io.ojs.client.OjsOperations;
import io.ojs.cron.CronJobs;
import io.ojs.cron.OjsCron;
import io.ojs.handler.JobContext;
import io.ojs.handler.OjsJobHandler;
import io.ojs.job.JobRequest;
import io.ojs.job.JobState;
import io.ojs.job.RateLimit;
import io.ojs.workflow.Workflow;
import io.ojs.workflow.Workflows;
import org.junit.jupiter.params.provider.Arguments;

/**
 * The jobs of a shop: one at least in each state that an operator looks at.
 */
class Shop {

	private final CountDownLatch closing = new CountDownLatch(1);

	@OjsJobHandler(value = "mail.send", queue = "email")
	String send(String to) {
		return "sent to " + to;
	}

	@OjsJobHandler(value = "invoice.create", queue = "billing")
	void invoice(int order) {
		throw new IllegalStateException("no price for order " + order,
				new IllegalArgumentException("the price list is empty"));
	}

	@OjsJobHandler(value = "report.build", queue = "reports", concurrency = 4)
	void build(String name, JobContext context) throws InterruptedException {
		context.progress(0.4, "page 4 of 10 of " + name);
		this.closing.await();
	}

	@OjsJobHandler(value = "payment.charge", queue = "payments")
	void charge(String card) {
	}

	@OjsJobHandler(value = "stock.count", queue = "stock")
	@OjsCron(name = "stock-count", expression = "0 3 * * *", zone = "Europe/Berlin",
			description = "Counts what is in stock")
	void count() {
	}

	/** Fills the store. */
	static Jobs fill(OperatedApplication application) {
		OjsOperations ojs = application.ojs();
		String sent = enqueue(ojs,
				JobRequest.of("mail.send", "ann@example.org").meta("customer", "4711").tags("urgent"));
		String failed = enqueue(ojs,
				JobRequest.of("invoice.create", 7).meta("customer", "4712").retry((retry) -> retry.maxAttempts(1)));
		String retried = enqueue(ojs,
				JobRequest.of("invoice.create", 8)
					.retry((retry) -> retry.maxAttempts(3)
						.initialInterval(Duration.ofHours(1))
						.maxInterval(Duration.ofHours(1))));
		String running = enqueue(ojs, JobRequest.of("report.build", "year"));
		String secret = enqueue(ojs, JobRequest.of("payment.charge", "4111-1111"));
		String scheduled = enqueue(ojs,
				JobRequest.of("mail.send", "bob@example.org").scheduledAt(Instant.now().plus(Duration.ofHours(5))));
		// No process works this queue.
		String waiting = enqueue(ojs, JobRequest.of("parcel.pack", 1).queue("parcels"));
		String limit = enqueue(ojs,
				JobRequest.of("report.build", "month").rateLimit(RateLimit.of("printer").concurrency(1)));
		Browser.await("a job that uses the limit up")
			.until(() -> ojs.find(limit).orElseThrow().state() == JobState.ACTIVE);
		String limited = enqueue(ojs,
				JobRequest.of("report.build", "week").rateLimit(RateLimit.of("printer").concurrency(1)));
		String acme = enqueue(ojs, JobRequest.of("mail.send", "sales@acme.example").meta("tenant_id", "acme"));
		String acmeFailed = enqueue(ojs,
				JobRequest.of("invoice.create", 41).meta("tenant_id", "acme").retry((retry) -> retry.maxAttempts(1)));
		String acmeScheduled = enqueue(ojs,
				JobRequest.of("mail.send", "later@acme.example")
					.meta("tenant_id", "acme")
					.scheduledAt(Instant.now().plus(Duration.ofHours(5))));
		String acmeSecret = enqueue(ojs, JobRequest.of("payment.charge", "4222-2222").meta("tenant_id", "acme"));
		String acmeWorkflow = application.bean(Workflows.class)
			.start(Workflow.chain("gift")
				.meta("tenant_id", "acme")
				.then(JobRequest.of("parcel.pack", 3).queue("parcels"))
				.then(JobRequest.of("mail.send", "gift@acme.example")))
			.id();
		String globex = enqueue(ojs, JobRequest.of("mail.send", "sales@globex.example").meta("tenant_id", "globex"));
		String globexFailed = enqueue(ojs,
				JobRequest.of("invoice.create", 42).meta("tenant_id", "globex").retry((retry) -> retry.maxAttempts(1)));
		String workflow = application.bean(Workflows.class)
			.start(Workflow.chain("order")
				.then(JobRequest.of("mail.send", "first@example.org"))
				.then(Workflow.group("both")
					.add(JobRequest.of("mail.send", "left@example.org"))
					.add(JobRequest.of("parcel.pack", 2).queue("parcels"))))
			.id();
		application.bean(CronJobs.class).trigger("stock-count");
		Jobs jobs = new Jobs(sent, failed, retried, running, secret, scheduled, waiting, limited, acme, acmeFailed,
				acmeScheduled, acmeSecret, acmeWorkflow, globex, globexFailed, workflow);
		Map<String, JobState> states = Map.of(sent, JobState.COMPLETED, failed, JobState.DISCARDED, retried,
				JobState.RETRYABLE, running, JobState.ACTIVE, secret, JobState.COMPLETED, acme, JobState.COMPLETED,
				acmeFailed, JobState.DISCARDED, globex, JobState.COMPLETED, globexFailed, JobState.DISCARDED);
		Browser.await("the jobs of the shop")
			.until(() -> states.entrySet()
				.stream()
				.allMatch((each) -> ojs.find(each.getKey()).orElseThrow().state() == each.getValue()));
		return jobs;
	}

	private static String enqueue(OjsOperations ojs, JobRequest request) {
		return ojs.enqueue(request).id();
	}

	/**
	 * The ids of the jobs, by what became of each.
	 *
	 * @param sent completed, of the customer 4711, with a tag
	 * @param failed a dead letter, of the customer 4712
	 * @param retried waits for its second attempt
	 * @param running runs until the application stops
	 * @param secret completed, with encrypted arguments
	 * @param scheduled runs in hours
	 * @param waiting waits in a queue that no process works
	 * @param limited waits for a limit
	 * @param acme a completed job of the tenant acme
	 * @param acmeFailed a dead letter of the tenant acme
	 * @param acmeScheduled runs in hours, of the tenant acme
	 * @param acmeSecret has encrypted arguments, of the tenant acme
	 * @param acmeWorkflow a running workflow of the tenant acme
	 * @param globex a completed job of the tenant globex
	 * @param globexFailed a dead letter of the tenant globex
	 * @param workflow a running workflow
	 */
	record Jobs(String sent, String failed, String retried, String running, String secret, String scheduled,
			String waiting, String limited, String acme, String acmeFailed, String acmeScheduled, String acmeSecret,
			String acmeWorkflow, String globex, String globexFailed, String workflow) {

		/** Every page, with a text that it shows. */
		List<Arguments> pages() {
			return List.of(Arguments.of("./", "Overview"), Arguments.of("queues", "email"),
					Arguments.of("queue?name=email", "email"), Arguments.of("jobs", "mail.send"),
					Arguments.of("job?id=" + this.sent, "4711"), Arguments.of("job?id=" + this.failed, "price"),
					Arguments.of("job?id=" + this.running, "page 4"),
					Arguments.of("job?id=" + this.secret, "Encrypted"),
					Arguments.of("job?id=" + this.waiting, "parcel.pack"),
					Arguments.of("dead-letters", "invoice.create"), Arguments.of("workflows", "order"),
					Arguments.of("workflow?id=" + this.workflow, "order"), Arguments.of("crons", "stock-count"),
					Arguments.of("crons?name=stock-count", "Berlin"), Arguments.of("operations", "Operations"),
					Arguments.of("workers", "Processes"), Arguments.of("limits", "printer"),
					Arguments.of("tenants", "acme"), Arguments.of("broker", "RabbitMQ"));
		}

	}

}
