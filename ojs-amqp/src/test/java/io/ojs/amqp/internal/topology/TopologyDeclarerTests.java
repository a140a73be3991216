package io.ojs.amqp.internal.topology;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.ConnectException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Method;
import com.rabbitmq.client.ShutdownSignalException;
import io.ojs.amqp.Declaration;
import io.ojs.amqp.DeclarationRefusedException;
import io.ojs.amqp.internal.connect.BrokerConnection;
import io.ojs.amqp.internal.connect.ConnectionEvents;
import io.ojs.amqp.internal.connect.ReconnectBackoff;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.amqp.AmqpConnectException;
import org.springframework.amqp.AmqpException;
import org.springframework.amqp.AmqpIOException;
import org.springframework.amqp.core.AmqpAdmin;
import org.springframework.amqp.core.Binding;
import org.springframework.amqp.core.Exchange;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.rabbit.connection.Connection;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What is declared, in which order, how often, and what becomes of it when the broker is
 * not there, says no, or comes back empty.
 */
class TopologyDeclarerTests {

	private static final List<String> EXCHANGES = List.of("ojs.exchange.direct", "ojs.exchange.dlx",
			"ojs.exchange.retry");

	/** The place for dead letters first: a job must not be able to die before it is. */
	private static final List<String> EMAIL = List.of("ojs.queue.dlx.email", "ojs.exchange.dlx -> ojs.queue.dlx.email",
			"ojs.queue.email", "ojs.exchange.direct -> ojs.queue.email");

	private static final List<String> RETRY_QUEUE = List.of("ojs.queue.retry.email.250",
			"ojs.exchange.retry -> ojs.queue.retry.email.250");

	private final BlockingQueue<String> declared = new LinkedBlockingQueue<>();

	private volatile @Nullable AmqpException answer;

	private volatile String answerTo = "";

	private volatile boolean reachable = true;

	private volatile boolean open;

	private final BrokerConnection connection = new BrokerConnection("consuming", connectionFactory(),
			new ReconnectBackoff(Duration.ofMillis(50), Duration.ofMillis(50), 0), new ConnectionEvents(List.of()),
			Clock.systemUTC());

	@Test
	void whatIsUsedIsDeclaredOnceAndInOrder() {
		TopologyDeclarer declarer = declarer(Declaration.LAZY);
		declarer.ensureQueue("email");
		assertThat(drain()).containsExactlyElementsOf(join(EXCHANGES, EMAIL));
		declarer.ensureQueue("email");
		assertThat(drain()).isEmpty();
		declarer.ensureQueue("other");
		assertThat(drain()).hasSize(4).allMatch((name) -> name.endsWith("other"));
	}

	@Test
	void retryQueueBringsItsQueueAlong() {
		TopologyDeclarer declarer = declarer(Declaration.LAZY);
		declarer.ensureRetryQueue(Shard.whole("email"), 250);
		assertThat(drain()).containsExactlyElementsOf(join(EXCHANGES, EMAIL, RETRY_QUEUE));
		declarer.ensureRetryQueue(Shard.whole("email"), 250);
		assertThat(drain()).isEmpty();
		declarer.ensureRetryQueue(Shard.whole("email"), 375);
		assertThat(drain()).containsExactly("ojs.queue.retry.email.375",
				"ojs.exchange.retry -> ojs.queue.retry.email.375");
	}

	@ParameterizedTest
	@CsvSource({ "EAGER, true", "LAZY, false", "NONE, false" })
	void atStartOnlyIfSoChosen(Declaration declaration, boolean expected) {
		declarer(declaration).declareEagerly(Set.of("email"));
		assertThat(drain().isEmpty()).isEqualTo(!expected);
	}

	@Test
	void nothingEverIfSomebodyElseDeclares() {
		TopologyDeclarer declarer = declarer(Declaration.NONE);
		declarer.declareEagerly(Set.of("email"));
		declarer.ensureQueue("email");
		declarer.ensureRetryQueue(Shard.whole("email"), 250);
		declarer.forget();
		declarer.ensureQueue("email");
		assertThat(drain()).isEmpty();
	}

	@Test
	void whatWasForgottenIsDeclaredAgainOnItsNextUse() {
		TopologyDeclarer declarer = declarer(Declaration.LAZY);
		declarer.ensureQueue("email");
		drain();
		declarer.forget();
		declarer.ensureQueue("email");
		assertThat(drain()).containsExactlyElementsOf(join(EXCHANGES, EMAIL));
	}

	@Test
	void whatWasForgottenIsDeclaredOnceItsConsumersHaveHeardThatItIsGone() {
		TopologyDeclarer declarer = declarer(Declaration.LAZY);
		declarer.ensureQueue("email");
		long forgotten = System.nanoTime();
		declarer.forget();
		declarer.ensureQueue("email");
		assertThat(System.nanoTime() - forgotten).isGreaterThanOrEqualTo(DeclarationPause.LENGTH.toNanos());
	}

	@Test
	void queueThatHasOtherArgumentsIsUsedAsItIs() {
		TopologyDeclarer declarer = declarer(Declaration.LAZY);
		answer("ojs.queue.email", refusal(406, "PRECONDITION_FAILED - inequivalent arg 'x-queue-type' for queue"));
		declarer.ensureQueue("email");
		assertThat(drain()).contains("ojs.exchange.direct -> ojs.queue.email");
		declarer.ensureQueue("email");
		assertThat(drain()).as("not asked for again").isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "403, ACCESS_REFUSED - access to queue refused", "406, PRECONDITION_FAILED - invalid arg 'x-max-age'",
			"405, RESOURCE_LOCKED - cannot obtain exclusive access" })
	void refusalIsToldWithItsReasonAndTriedAgain(int code, String text) {
		TopologyDeclarer declarer = declarer(Declaration.EAGER);
		answer("ojs.queue.email", refusal(code, text));
		assertThatExceptionOfType(DeclarationRefusedException.class).isThrownBy(() -> declarer.ensureQueue("email"))
			.withMessageContainingAll("ojs.queue.email", text);
		assertThatExceptionOfType(DeclarationRefusedException.class)
			.isThrownBy(() -> declarer.declareEagerly(Set.of("email")));
		this.answer = null;
		drain();
		declarer.ensureQueue("email");
		assertThat(drain()).containsExactlyElementsOf(EMAIL);
	}

	@Test
	void brokerThatCannotBeReachedIsTheCallersProblemOnUseAndNobodysAtStart() {
		TopologyDeclarer declarer = declarer(Declaration.EAGER);
		answer("", new AmqpConnectException(new ConnectException("refused")));
		declarer.declareEagerly(Set.of("email"));
		assertThatExceptionOfType(AmqpConnectException.class).isThrownBy(() -> declarer.ensureQueue("email"));
	}

	@Test
	void whatCouldNotBeDeclaredAtStartIsDeclaredOnTheFirstConnection() throws InterruptedException {
		this.reachable = false;
		TopologyDeclarer declarer = declarer(Declaration.EAGER);
		declarer.declareEagerly(List.of("email", "other"));
		assertThat(drain()).isEmpty();
		this.reachable = true;
		assertThat(await(11)).containsAll(EXCHANGES).containsAll(EMAIL).contains("ojs.queue.other");
	}

	@Test
	void brokerThatComesBackEmptyGetsEverythingAgainRetryQueuesToo() throws InterruptedException {
		TopologyDeclarer declarer = declarer(Declaration.LAZY);
		declarer.ensureRetryQueue(Shard.whole("email"), 250);
		drain();
		lose();
		assertThat(await(9)).containsExactlyInAnyOrderElementsOf(join(EXCHANGES, EMAIL, RETRY_QUEUE));
	}

	@Test
	void nothingIsDeclaredBeforeSomebodyAsksAndOnceAfter() {
		TopologyDeclarer declarer = declarer(Declaration.LAZY);
		assertThat(this.connection.open(Duration.ofSeconds(5))).isTrue();
		assertThat(drain()).isEmpty();
		declarer.ensureQueue("email");
		assertThat(drain()).containsExactlyElementsOf(join(EXCHANGES, EMAIL));
	}

	@SafeVarargs
	private static List<String> join(List<String>... lists) {
		List<String> joined = new ArrayList<>();
		for (List<String> list : lists) {
			joined.addAll(list);
		}
		return joined;
	}

	private TopologyDeclarer declarer(Declaration declaration) {
		return new TopologyDeclarer(new Topology(new BindingNaming(""), QueueSettings::defaults), admin(),
				this.connection, declaration);
	}

	private void answer(String to, AmqpException exception) {
		this.answerTo = to;
		this.answer = exception;
	}

	private List<String> drain() {
		List<String> names = new ArrayList<>();
		this.declared.drainTo(names);
		return names;
	}

	private List<String> await(int count) throws InterruptedException {
		List<String> names = new ArrayList<>();
		while (names.size() < count) {
			String name = this.declared.poll(10, TimeUnit.SECONDS);
			assertThat(name).as("declared so far: %s", names).isNotNull();
			names.add(name);
		}
		return names;
	}

	/** As the client and Spring AMQP report what the broker says to a declaration. */
	private static AmqpException refusal(int code, String text) {
		Method reason = new AMQP.Channel.Close.Builder().replyCode(code)
			.replyText(text)
			.classId(50)
			.methodId(10)
			.build();
		return new AmqpIOException(new IOException(new ShutdownSignalException(false, false, reason, null)));
	}

	private AmqpAdmin admin() {
		return (AmqpAdmin) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { AmqpAdmin.class },
				(proxy, method, arguments) -> {
					String name = name(arguments[0]);
					this.declared.add(name);
					AmqpException exception = this.answer;
					if (exception != null && (this.answerTo.isEmpty() || this.answerTo.equals(name))) {
						throw exception;
					}
					return method.getName().equals("declareQueue") ? name : null;
				});
	}

	private static String name(Object declarable) {
		if (declarable instanceof Queue queue) {
			return queue.getName();
		}
		if (declarable instanceof Exchange exchange) {
			return exchange.getName();
		}
		Binding binding = (Binding) declarable;
		return binding.getExchange() + " -> " + binding.getDestination();
	}

	private void lose() {
		this.open = false;
		this.connection.onShutDown(new ShutdownSignalException(true, false, null, null));
	}

	private ConnectionFactory connectionFactory() {
		return (ConnectionFactory) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { ConnectionFactory.class }, (proxy, method, arguments) -> {
					if (method.getName().equals("createConnection")) {
						if (!this.reachable) {
							throw new AmqpConnectException(new ConnectException("refused"));
						}
						this.open = true;
						return connection();
					}
					return method.getName().equals("getPort") ? (Object) 5672 : null;
				});
	}

	private Connection connection() {
		return (Connection) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { Connection.class },
				(proxy, method, arguments) -> method.getName().equals("isOpen") ? this.open : null);
	}

}
