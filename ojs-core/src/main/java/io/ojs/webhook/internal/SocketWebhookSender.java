package io.ojs.webhook.internal;

import java.net.ConnectException;
import java.net.InetAddress;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocketFactory;

import io.ojs.internal.log.SafeLogger;
import io.ojs.internal.thread.Threads;
import io.ojs.webhook.WebhookFailedException;
import io.ojs.webhook.WebhookReply;
import io.ojs.webhook.WebhookSender;
import org.slf4j.Logger;

/**
 * Posts events over a connection to the address that was checked to be public, so a
 * second DNS lookup cannot replace it by another one. Each event has its own connection.
 */
public final class SocketWebhookSender implements WebhookSender, AutoCloseable {

	private static final Logger logger = SafeLogger.of(SocketWebhookSender.class);

	private final boolean privateAddresses;

	private final Names names;

	private final SSLSocketFactory tls;

	/**
	 * Threads for the blocking calls, which cannot be interrupted. The caller waits for
	 * them, and can be.
	 */
	private final ExecutorService threads = Executors
		.newCachedThreadPool((task) -> Threads.daemon(task, "ojs-webhook"));

	/**
	 * Creates a sender.
	 * @param privateAddresses whether to connect to addresses that are not public
	 */
	public SocketWebhookSender(boolean privateAddresses) {
		this(privateAddresses, InetAddress::getAllByName, (SSLSocketFactory) SSLSocketFactory.getDefault());
	}

	SocketWebhookSender(boolean privateAddresses, Names names, SSLSocketFactory tls) {
		this.privateAddresses = privateAddresses;
		this.names = names;
		this.tls = tls;
	}

	@Override
	public WebhookReply post(URI url, Map<String, String> headers, byte[] body, Duration timeout)
			throws InterruptedException {
		long start = System.nanoTime();
		WebhookExchange exchange = new WebhookExchange(url, headers, body, this::addresses, this.tls, timeout);
		Future<?> done = this.threads.submit(exchange);
		try {
			done.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (TimeoutException ex) {
			if (exchange.status() == 0) {
				throw new WebhookFailedException("webhook.timeout",
						"The receiver did not answer within %s.".formatted(timeout), true, ex);
			}
			logger.debug("A receiver answered, and not to the end", ex);
		}
		catch (ExecutionException ex) {
			if (exchange.status() == 0) {
				throw failure(Objects.requireNonNull(ex.getCause()), timeout);
			}
			logger.debug("A receiver answered, and not to the end", ex);
		}
		finally {
			exchange.abort();
			done.cancel(true);
		}
		return new WebhookReply(exchange.status(), exchange.body(), Duration.ofNanos(System.nanoTime() - start));
	}

	private InetAddress[] addresses(String host) throws UnknownHostException {
		InetAddress[] addresses = this.names.find(host);
		for (InetAddress address : addresses) {
			if (!this.privateAddresses && !PublicAddresses.include(address)) {
				throw new WebhookFailedException("webhook.address_refused",
						"The name of the receiver leads to an address that is not public.", false, null);
			}
		}
		return addresses;
	}

	/**
	 * Returns a failure with a message of our own, because other messages contain
	 * addresses.
	 */
	static WebhookFailedException failure(Throwable failure, Duration timeout) {
		logger.debug("An event could not be posted", failure);
		if (failure instanceof WebhookFailedException known) {
			return known;
		}
		if (failure instanceof UnknownHostException) {
			return failed("webhook.unknown_host", "The name of the receiver is not known.");
		}
		if (failure instanceof SocketTimeoutException) {
			return failed("webhook.timeout", "The receiver did not answer within %s.".formatted(timeout));
		}
		if (failure instanceof ConnectException || failure instanceof NoRouteToHostException) {
			return failed("webhook.connection_refused", "The receiver cannot be connected to.");
		}
		if (failure instanceof SSLException) {
			return failed("webhook.tls", "No encrypted connection to the receiver could be made: "
					+ "look at its certificate, and at the name in it.");
		}
		return failed("webhook.connection_lost",
				"The receiver ended the connection, or answered with what is no HTTP.");
	}

	private static WebhookFailedException failed(String type, String message) {
		return new WebhookFailedException(type, message, true, null);
	}

	/** Ends the posts in progress. */
	@Override
	public void close() {
		this.threads.shutdownNow();
	}

	/**
	 * Finds the addresses of a host name.
	 */
	@FunctionalInterface
	interface Names {

		InetAddress[] find(String host) throws UnknownHostException;

	}

}
