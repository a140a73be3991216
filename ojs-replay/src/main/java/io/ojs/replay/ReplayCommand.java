package io.ojs.replay;

import java.io.PrintWriter;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import io.ojs.InvalidField;
import io.ojs.OjsException;
import io.ojs.amqp.deadletter.DeadLetterReplayer;
import io.ojs.amqp.internal.connect.BrokerConnections;
import io.ojs.amqp.internal.connect.ConnectionEvents;
import io.ojs.amqp.internal.connect.ReconnectBackoff;
import io.ojs.amqp.internal.deadletter.AmqpDeadLetterReplayer;
import io.ojs.amqp.internal.message.JobMessages;
import io.ojs.amqp.internal.publish.ConfirmingPublisher;
import io.ojs.deadletter.DeadLetterFilter;
import io.ojs.deadletter.ReplayEnd;
import io.ojs.deadletter.ReplayOptions;
import io.ojs.deadletter.ReplayResult;
import io.ojs.event.internal.JobEvents;
import io.ojs.internal.json.JsonJobCodec;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitTemplate;

/**
 * Replays the dead letters of the given queues, one queue after another.
 */
@Command(name = "ojs-replay", sortOptions = false, mixinStandardHelpOptions = true, version = "ojs-replay 0.1.0",
		header = "Puts dead letters back to work.%n",
		description = {
				"%nJobs that failed for good wait in the dead letter queue of their queue. Those that are meant "
						+ "go to work again, with their id, from the first attempt; the others stay, in their order. "
						+ "Nothing is lost, also not by kill -9.%n" },
		exitCodeListHeading = "%nExit codes:%n",
		exitCodeList = { "0:done", "1:some were left with errors, or the broker cannot be reached",
				"2:the command line is wrong" },
		footerHeading = "%nExamples:%n",
		footer = { "  ojs-replay --uri amqp://ops@rabbit -q email --dry-run",
				"  ojs-replay --uri amqp://ops@rabbit -q email --error-type 'java.net.*' --dead-since 12h --rate 50",
				"  ojs-replay --uri amqp://ops@rabbit -q email --id 019461a8-1a2b-7c3d-8e4f-5a6b7c8d9e0f --yes" })
final class ReplayCommand implements Callable<Integer> {

	private static final Duration CONFIRM_TIMEOUT = Duration.ofSeconds(5);

	/** The options by the fields of requests. */
	private static final Map<String, String> OPTIONS = Map.ofEntries(Map.entry("filter.queue", "--queue"),
			Map.entry("filter.type", "--type"), Map.entry("filter.error_type", "--error-type"),
			Map.entry("filter.error_code", "--error-code"), Map.entry("filter.stack_hash", "--stack-hash"),
			Map.entry("filter.ids", "--id"), Map.entry("filter.since", "--dead-since"),
			Map.entry("filter.until", "--dead-before"), Map.entry("limit", "--max"), Map.entry("rate", "--rate"),
			Map.entry("queue", "--to-queue"), Map.entry("priority", "--priority"),
			Map.entry("retry.max_attempts", "--max-attempts"));

	@ArgGroup(exclusive = false, validate = false, heading = "%nWhich:%n", order = 1)
	WhichOptions which = new WhichOptions();

	@ArgGroup(exclusive = false, validate = false, heading = "%nHow:%n", order = 2)
	HowOptions how = new HowOptions();

	@ArgGroup(exclusive = false, validate = false, heading = "%nWhere:%n", order = 3)
	BrokerOptions broker = new BrokerOptions();

	@Spec
	CommandSpec spec = CommandSpec.create();

	private final Terminal terminal;

	private final UnaryOperator<@Nullable String> environment;

	private final AtomicBoolean cancelled = new AtomicBoolean();

	ReplayCommand(Terminal terminal, UnaryOperator<@Nullable String> environment) {
		this.terminal = terminal;
		this.environment = environment;
	}

	/** Ends the replay after it has settled the messages that it holds. */
	void cancel() {
		this.cancelled.set(true);
	}

	@Override
	public Integer call() {
		CommandLine commandLine = this.spec.commandLine();
		List<DeadLetterFilter> filters = checked(this::filters);
		ReplayOptions options = checked(this.how::options);
		CachingConnectionFactory connectionFactory = this.broker.connectionFactory(commandLine,
				this.environment.apply("OJS_REPLAY_URI"));
		boolean asks = !this.how.dryRun && !this.how.yes;
		if (asks && !this.terminal.isInteractive()) {
			throw new CommandLine.ParameterException(commandLine,
					"Missing option '--yes': there is no terminal to ask on. Add --yes to replay, or --dry-run to count only.");
		}
		try (BrokerConnections connections = new BrokerConnections(connectionFactory, ReconnectBackoff.DEFAULT,
				new ConnectionEvents(List.of()), Clock.systemUTC())) {
			RabbitTemplate template = new RabbitTemplate(connectionFactory);
			template.setUsePublisherConnection(true);
			DeadLetterReplayer replayer = new AmqpDeadLetterReplayer(connections.consuming(),
					new ConfirmingPublisher(template, connections.publishing()), this.broker.naming(commandLine),
					new JobMessages(new JsonJobCodec()), new JobEvents(List.of()), Clock.systemUTC(), CONFIRM_TIMEOUT);
			if (asks && !(replay(replayer, filters, options.asDryRun()) && this.terminal.confirms("Replay them?"))) {
				commandLine.getErr().println("Nothing was replayed.");
				return CommandLine.ExitCode.SOFTWARE;
			}
			return replay(replayer, filters, options) ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
		}
		finally {
			connectionFactory.destroy();
		}
	}

	private List<DeadLetterFilter> filters() {
		if (this.which.queues.isEmpty()) {
			throw new CommandLine.ParameterException(this.spec.commandLine(),
					"Missing option '--queue': name the OJS queue whose dead letters are meant, such as --queue email.");
		}
		return this.which.queues.stream().map(this.which::filter).toList();
	}

	private <T> T checked(Supplier<T> values) {
		try {
			return values.get();
		}
		catch (OjsException ex) {
			String field = (ex instanceof InvalidField invalid) ? invalid.field() : "";
			throw new CommandLine.ParameterException(this.spec.commandLine(),
					"Invalid value for option '%s': %s".formatted(OPTIONS.getOrDefault(field, field), ex.getMessage()));
		}
	}

	private boolean replay(DeadLetterReplayer replayer, List<DeadLetterFilter> filters, ReplayOptions options) {
		PrintWriter out = this.spec.commandLine().getOut();
		boolean success = true;
		for (DeadLetterFilter filter : filters) {
			String queue = String.valueOf(filter.queue());
			ReplayResult result = replayer.replayAll(filter, options, new ProgressLine(this.spec.commandLine().getErr(),
					queue, this.terminal.isInteractive(), this.cancelled::get));
			out.print(ResultTable.of(queue, result));
			out.flush();
			success &= result.isSuccess();
			if (result.end() == ReplayEnd.CANCELLED) {
				return false;
			}
		}
		return success;
	}

}
