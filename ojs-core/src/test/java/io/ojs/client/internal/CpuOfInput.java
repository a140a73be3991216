package io.ojs.client.internal;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.function.BiConsumer;
import java.util.function.IntFunction;
import java.util.function.Supplier;

import io.ojs.OjsException;
import io.ojs.client.OjsOperations;
import io.ojs.cron.CronJobs;
import io.ojs.cron.CronRequest;
import io.ojs.cron.internal.CronEvents;
import io.ojs.cron.internal.CronFiring;
import io.ojs.cron.internal.CronSchedules;
import io.ojs.cron.internal.CronStore;
import io.ojs.cron.internal.StoreCronJobs;
import io.ojs.crypto.internal.JobEncryption;
import io.ojs.handler.internal.JobHandlers;
import io.ojs.handler.internal.RetryPolicies;
import io.ojs.internal.json.JobRequestJson;
import io.ojs.internal.json.JsonFields;
import io.ojs.internal.json.JsonJobCodec;
import io.ojs.internal.json.JsonObjects;
import io.ojs.internal.json.JsonValues;
import io.ojs.internal.trace.TraceScope;
import io.ojs.job.InvalidJobException;
import io.ojs.queue.internal.QueueConfigJson;
import io.ojs.retry.RetryPolicy;
import io.ojs.store.internal.StoreTransactions;
import io.ojs.store.internal.relay.HandOver;
import io.ojs.tenant.internal.limit.BegunWork;
import io.ojs.webhook.WebhookFilter;
import io.ojs.webhook.WebhookSettings;
import io.ojs.webhook.Webhooks;
import io.ojs.webhook.internal.StoreWebhooks;
import io.ojs.webhook.internal.WebhookOptions;
import io.ojs.webhook.internal.WebhookSecrets;
import io.ojs.webhook.internal.WebhookStore;
import io.ojs.workflow.Workflows;
import io.ojs.workflow.internal.StoreWorkflows;
import io.ojs.workflow.internal.WorkflowEvents;
import io.ojs.workflow.internal.WorkflowJobs;
import io.ojs.workflow.internal.WorkflowJson;
import io.ojs.workflow.internal.WorkflowLimits;
import io.ojs.workflow.internal.WorkflowStore;
import tools.jackson.databind.json.JsonMapper;

/**
 * A program that prints what input costs: milliseconds of CPU time for each megabyte,
 * whatever is in it and wherever it comes in, from reading to writing it again or to its
 * refusal. The metadata of a workflow counts once for each job that gets a copy. The time
 * is that of the thread, so other work on the machine does not count.
 */
final class CpuOfInput {

	/** What a megabyte may cost. Nothing that costs less is measured again. */
	static final double MILLIS_PER_MB = 100;

	/** The first ones are interpreted. */
	private static final int ROUNDS = 40;

	private static final int SIZE = 1_400_000;

	/** Jobs of a workflow, without the first. */
	private static final int INHERITING = 999;

	/** What jobs together may have of the metadata of their workflow. */
	private static final int INHERITED = 1024 * 1024;

	private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

	private final JsonObjects objects = new JsonObjects();

	private final JsonValues values = new JsonValues(JsonMapper.shared());

	private final JsonJobCodec codec = new JsonJobCodec();

	private final JobHandlers handlers = new JobHandlers(List.of());

	private final JobFactory jobs = new JobFactory(this.handlers,
			new RetryPolicies((queue) -> RetryPolicy.DEFAULT, this.handlers), this.values, this.codec,
			Clock.systemUTC(), 100 * SIZE);

	/** What is checked before the database is asked. */
	private final StoreTransactions transactions = new StoreTransactions() {

		@Override
		@SuppressWarnings("NullAway")
		public <T> T inTransaction(Supplier<T> work) {
			return null;
		}

		@Override
		public void afterCommit(Runnable action) {
			// Nothing was begun.
		}

		@Override
		public boolean isActive() {
			return false;
		}

	};

	/**
	 * Prints a line for each kind of input: what it is, a tab, and what it costs.
	 */
	public static void main(String[] arguments) {
		CpuOfInput cpu = new CpuOfInput();
		Map<String, String> elements = elements();
		entrances().forEach((where, entrance) -> elements
			.forEach((what, values) -> print(where + ": " + what, cpu.millisPerMegabyte(entrance, values))));
		Entrance names = new Entrance(
				"{\"type\":\"group\",\"meta\":{%s},\"jobs\":[" + small(999) + "{\"type\":\"a.b\",\"args\":[]}]}",
				CpuOfInput::workflow, INHERITING);
		print("metadata of a workflow: names", cpu.millisPerMegabyte(names, fill((i) -> "\"name" + i + "\":" + i)));
		print("metadata of a workflow: all jobs have it",
				cpu.millisPerMegabyte(entrances().get("metadata of a workflow"), "\"" + "m".repeat(1000) + "\""));
	}

	private static void print(String input, double millis) {
		System.out.printf(Locale.ROOT, "%s\t%.1f%n", input, millis);
	}

	/** Elements of an array in JSON. */
	private static Map<String, String> elements() {
		Random random = new Random(1);
		Map<String, String> elements = new LinkedHashMap<>();
		elements.put("zeros below names of 49,000 characters", nested(49_000));
		elements.put("zeros below names of 1,024 characters", nested(1024));
		elements.put("small objects", fill((i) -> "{\"a\":%d,\"b\":\"x\"}".formatted(i)));
		elements.put("long strings", fill((i) -> "\"" + "aä\\u00e4\\n💌".repeat(5000) + "\""));
		elements.put("short strings", fill((i) -> "\"s" + i + "\""));
		elements.put("lists in lists", fill((i) -> "[1,".repeat(89) + "[]" + "]".repeat(89)));
		elements.put("objects in objects", fill((i) -> "{\"n\":".repeat(90) + "1" + "}".repeat(90)));
		elements.put("whole numbers", fill((i) -> Long.toString(random.nextLong())));
		elements.put("fractions", fill((i) -> Double.toString(random.nextDouble())));
		elements.put("numbers next to zero", fill((i) -> (i % 2 == 0) ? "4.9e-324" : "2.2250738585072e-308"));
		elements.put("numbers with more digits than they need",
				fill((i) -> (i % 2 == 0) ? "0.10000000000000001" : "5.0000000000000024e-310"));
		elements.put("numbers of 900 digits", fill((i) -> "1." + "1234567890".repeat(90)));
		return elements;
	}

	private static Map<String, Entrance> entrances() {
		Map<String, Entrance> entrances = new LinkedHashMap<>();
		entrances.put("request", new Entrance("{\"type\":\"a.b\",\"args\":[%s]}", CpuOfInput::request));
		entrances.put("unique request",
				new Entrance("{\"type\":\"a.b\",\"args\":[%s],\"unique\":{\"keys\":[\"args\"]}}", CpuOfInput::request));
		entrances.put("metadata", new Entrance("{\"type\":\"a.b\",\"args\":[],\"meta\":{\"m\":[%s]},\"unknown\":[1]}",
				CpuOfInput::request));
		entrances.put("batch",
				new Entrance("{\"jobs\":[" + small(999) + "{\"type\":\"a.b\",\"args\":[%s]}]}", CpuOfInput::batch));
		entrances.put("message",
				new Entrance(
						"{\"specversion\":\"1.0\",\"id\":\"019461a8-1a2b-7c3d-8e4f-5a6b7c8d9e0f\",\"type\":\"a.b\","
								+ "\"queue\":\"default\",\"args\":[%s]}",
						CpuOfInput::message));
		entrances.put("workflow",
				new Entrance("{\"type\":\"group\",\"jobs\":[" + small(99) + "{\"type\":\"a.b\",\"args\":[%s]}]}",
						CpuOfInput::workflow));
		entrances.put("metadata of a workflow", new Entrance("{\"type\":\"group\",\"meta\":{\"m\":[%s]},\"jobs\":["
				+ small(999) + "{\"type\":\"a.b\",\"args\":[]}]}", CpuOfInput::workflow, INHERITING));
		entrances.put("cron",
				new Entrance("{\"name\":\"a\",\"job_template\":{\"type\":\"a.b\",\"args\":[%s]}}", CpuOfInput::cron));
		entrances.put("subscription", new Entrance("{\"metadata\":{\"m\":[%s]}}", CpuOfInput::subscription));
		entrances.put("configuration of a queue",
				new Entrance("{\"allowed_job_types\":[%s]}", CpuOfInput::configuration));
		return entrances;
	}

	private static String small(int jobs) {
		return "{\"type\":\"a.b\",\"args\":[1]},".repeat(jobs);
	}

	private static String nested(int name) {
		return ("{\"" + "k".repeat(name) + "\":").repeat(20) + "[0" + ",0".repeat(199_999) + "]" + "}".repeat(20);
	}

	private static String fill(IntFunction<String> element) {
		StringBuilder elements = new StringBuilder(element.apply(0));
		for (int i = 1; elements.length() < SIZE; i++) {
			elements.append(',').append(element.apply(i));
		}
		return elements.toString();
	}

	private double millisPerMegabyte(Entrance entrance, String elements) {
		byte[] body = entrance.body().formatted(elements).getBytes(StandardCharsets.UTF_8);
		double best = Double.MAX_VALUE;
		for (int round = 0; round < ROUNDS && best >= MILLIS_PER_MB; round++) {
			best = Math.min(best, cpuMillis(entrance, body) / (entrance.bytes(body, elements) / 1e6));
		}
		return best;
	}

	private double cpuMillis(Entrance entrance, byte[] body) {
		long began = THREADS.getCurrentThreadCpuTime();
		try {
			entrance.enter().accept(this, body);
		}
		catch (OjsException ex) {
			if (ex.getMessage().length() > 3000) {
				throw new IllegalStateException("A refusal must not repeat what it is about", ex);
			}
		}
		return (THREADS.getCurrentThreadCpuTime() - began) / 1e6;
	}

	private void request(byte[] body) {
		this.jobs.create(this.jobs.arrived(JobRequestJson.read(this.objects.read(body), Instant.now())));
	}

	private void batch(byte[] body) {
		List<?> entries = new JsonFields(this.objects.read(body), InvalidJobException::new).array("jobs");
		for (Object entry : entries) {
			this.jobs.create(JobRequestJson.read(object(entry), Instant.now()));
		}
	}

	private void message(byte[] body) {
		this.codec.decode(body);
	}

	private void workflow(byte[] body) {
		WorkflowStore store = never(WorkflowStore.class);
		OjsOperations ojs = never(OjsOperations.class);
		WorkflowJobs started = new WorkflowJobs(store, ojs, ojs::enqueueAll, TraceScope.NONE, new BegunWork(), 1000);
		Workflows workflows = new StoreWorkflows(store, this.transactions, started, this.jobs,
				new WorkflowEvents(List.of()), WorkflowLimits.DEFAULT, HandOver.NONE, Clock.systemUTC());
		workflows.start(WorkflowJson.read(this.objects.read(body), Instant.now(), this.jobs::arrived));
	}

	private void cron(byte[] body) {
		CronStore store = never(CronStore.class);
		Clock clock = Clock.systemUTC();
		CronSchedules schedules = new CronSchedules((expression) -> (after) -> after);
		CronFiring firing = new CronFiring(store, this.transactions, never(OjsOperations.class), schedules,
				new CronEvents(List.of()), JobEncryption.OFF, clock);
		CronJobs crons = new StoreCronJobs(store, this.transactions, schedules, firing, this.jobs, this.values, clock);
		Map<String, Object> template = object(this.objects.read(body).get("job_template"));
		crons.register(CronRequest.of("a", "@daily", JobRequestJson.read(template, Instant.now())));
	}

	private void subscription(byte[] body) {
		Webhooks webhooks = new StoreWebhooks(never(WebhookStore.class), this.transactions,
				new WebhookSecrets(JobEncryption.OFF), WebhookOptions.DEFAULT, Clock.systemUTC());
		JsonFields fields = new JsonFields(this.objects.read(body), InvalidJobException::new);
		webhooks.create(null, new WebhookSettings("https://example.com/", List.of("*"), WebhookFilter.NONE,
				fields.object("metadata"), true), null);
	}

	private void configuration(byte[] body) {
		new QueueConfigJson().read(body);
	}

	@SuppressWarnings("unchecked")
	private static Map<String, Object> object(Object value) {
		return (Map<String, Object>) value;
	}

	private static <T> T never(Class<T> type) {
		return type
			.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, (proxy, method, arguments) -> {
				throw new UnsupportedOperationException(method.getName());
			}));
	}

	/**
	 * Where input comes in.
	 *
	 * @param body with a place for the elements
	 * @param enter takes it in
	 * @param jobs how many jobs at most get a copy of the elements beside the first
	 */
	private record Entrance(String body, BiConsumer<CpuOfInput, byte[]> enter, int jobs) {

		Entrance(String body, BiConsumer<CpuOfInput, byte[]> enter) {
			this(body, enter, 0);
		}

		/** The one that goes beyond the limit is made, too. */
		long bytes(byte[] body, String elements) {
			return body.length + (long) Math.min(this.jobs, INHERITED / elements.length()) * elements.length();
		}

	}

}
