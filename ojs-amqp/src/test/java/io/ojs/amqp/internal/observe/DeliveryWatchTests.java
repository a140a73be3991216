package io.ojs.amqp.internal.observe;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.MetricsCollector;
import com.rabbitmq.client.ShutdownListener;
import com.rabbitmq.client.ShutdownSignalException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.rabbit.connection.PublisherCallbackChannel;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How many messages of a channel are not settled, by what the client tells.
 */
class DeliveryWatchTests {

	private final List<String> told = new ArrayList<>();

	private final List<ShutdownListener> listeners = new ArrayList<>();

	private final Channel channel = proxy(Channel.class, (method, arguments) -> {
		if (method.getName().equals("addShutdownListener")) {
			this.listeners.add((ShutdownListener) arguments[0]);
		}
		return null;
	});

	private MetricsCollector client;

	private DeliveryWatch watch;

	@BeforeEach
	void install() {
		ConnectionFactory factory = new ConnectionFactory();
		factory.setMetricsCollector(proxy(MetricsCollector.class, (method, arguments) -> {
			this.told.add(method.getName() + Arrays.toString(method.getParameterTypes()));
			return null;
		}));
		this.watch = DeliveryWatch.install(factory);
		this.client = factory.getMetricsCollector();
	}

	@Test
	void messagesCountFromTheirDeliveryUntilTheyAreSettled() {
		this.client.newChannel(this.channel);
		this.client.basicConsume(this.channel, "ctag", false);
		for (int tag = 1; tag <= 5; tag++) {
			this.client.consumedMessage(this.channel, tag, "ctag");
		}
		assertThat(this.watch.unacked(this.channel)).isEqualTo(5);
		this.client.basicAck(this.channel, 1, false);
		this.client.basicNack(this.channel, 2, false);
		this.client.basicReject(this.channel, 3, true);
		assertThat(this.watch.unacked(this.channel)).isEqualTo(2);
		this.client.consumedMessage(this.channel, 6, false);
		assertThat(this.watch.unacked(this.channel)).isEqualTo(3);
	}

	@Test
	void channelThatIsClosedHasNone() {
		this.client.newChannel(this.channel);
		this.client.consumedMessage(this.channel, 1, "ctag");
		assertThat(this.watch.unacked(this.channel)).isEqualTo(1);
		this.listeners
			.forEach((listener) -> listener.shutdownCompleted(new ShutdownSignalException(true, false, null, null)));
		assertThat(this.watch.unacked(this.channel)).isZero();
	}

	@Test
	void messagesThatNeedNoAckDoNotCount() {
		this.client.newChannel(this.channel);
		this.client.consumedMessage(this.channel, 1, true);
		this.client.basicConsume(this.channel, "replies", true);
		this.client.consumedMessage(this.channel, 2, "replies");
		assertThat(this.watch.unacked(this.channel)).isZero();
	}

	@Test
	void channelIsTheSameBehindOneForConfirms() {
		this.client.newChannel(this.channel);
		this.client.consumedMessage(this.channel, 1, "ctag");
		Channel confirming = proxy(PublisherCallbackChannel.class, (method, arguments) -> this.channel);
		assertThat(this.watch.unacked(confirming)).isEqualTo(1);
	}

	@Test
	void collectorOfTheApplicationIsToldAllTheSame() throws Exception {
		List<String> expected = new ArrayList<>();
		for (Method method : MetricsCollector.class.getMethods()) {
			expected.add(method.getName() + Arrays.toString(method.getParameterTypes()));
			method.invoke(this.client, Arrays.stream(method.getParameterTypes()).map(this::argument).toArray());
		}
		assertThat(this.told).hasSizeGreaterThan(10).containsExactlyElementsOf(expected);
	}

	@Test
	void factoryWithoutACollectorIsWatchedAsWell() {
		ConnectionFactory factory = new ConnectionFactory();
		DeliveryWatch installed = DeliveryWatch.install(factory);
		factory.getMetricsCollector().newConnection(proxy(Connection.class, (method, arguments) -> null));
		factory.getMetricsCollector().newChannel(this.channel);
		factory.getMetricsCollector().consumedMessage(this.channel, 1, "ctag");
		assertThat(installed.unacked(this.channel)).isEqualTo(1);
	}

	private @Nullable Object argument(Class<?> type) {
		if (type == Channel.class) {
			return this.channel;
		}
		if (type == boolean.class) {
			return false;
		}
		return (type == long.class) ? 1L : null;
	}

	private static <T> T proxy(Class<T> type, Answer answer) {
		return type
			.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, (proxy, method, arguments) -> {
				if (method.getDeclaringClass() != Object.class) {
					return answer.to(method, arguments);
				}
				return method.getName().equals("hashCode") ? (Object) System.identityHashCode(proxy)
						: (Object) (proxy == arguments[0]);
			}));
	}

	private interface Answer {

		@Nullable Object to(Method method, Object[] arguments);

	}

}
