package io.ojs.middleware;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * The order in which middleware is run (OJS Middleware §5): the application's own, by
 * name, and between them the steps whose order is fixed (OJS Extension Interactions §14).
 * Put together when the application starts, on one thread; then it does not change any
 * more.
 *
 * @param <M> the kind of middleware
 */
public final class MiddlewareChain<M> {

	/** Begins the span of the job; nothing stands before it. */
	public static final String TRACE = "trace";

	/** Says whose job it is, or works for its tenant. */
	public static final String TENANT = "tenant";

	/**
	 * Behind it is what may only look: rules are checked as a job is made, after each
	 * middleware, and as its bytes are read back.
	 */
	public static final String VALIDATE = "validate";

	/** Makes the key of a unique job, from arguments that are not encrypted yet. */
	public static final String UNIQUE = "unique";

	/** Reads the rate limit. */
	public static final String RATE_LIMIT = "rate-limit";

	/** Encrypts the arguments. */
	public static final String ENCRYPT = "encrypt";

	/** Decrypts the arguments. */
	public static final String DECRYPT = "decrypt";

	private final List<Link<M>> links = new ArrayList<>();

	/** Those of the application stand behind it, unless they are put elsewhere. */
	private final String before;

	/** And in front of this one; {@code null} is the end. */
	private final @Nullable String behind;

	private boolean frozen;

	private MiddlewareChain(List<String> steps, String before, @Nullable String behind) {
		steps.forEach((step) -> this.links.add(new Link<>(step, null)));
		this.before = before;
		this.behind = behind;
	}

	/**
	 * The chain that each job passes before it is sent.
	 * @return {@value #TRACE}, {@value #TENANT}, {@value #VALIDATE}, {@value #UNIQUE},
	 * {@value #RATE_LIMIT}, {@value #ENCRYPT}; the application's own behind the second
	 */
	public static MiddlewareChain<EnqueueMiddleware> ofEnqueueing() {
		return new MiddlewareChain<>(List.of(TRACE, TENANT, VALIDATE, UNIQUE, RATE_LIMIT, ENCRYPT), TENANT, VALIDATE);
	}

	/**
	 * The chain that is around each attempt.
	 * @return {@value #TRACE}, {@value #DECRYPT}, {@value #TENANT}; the application's own
	 * behind the last
	 */
	public static MiddlewareChain<ExecutionMiddleware> ofExecution() {
		return new MiddlewareChain<>(List.of(TRACE, DECRYPT, TENANT), TENANT, null);
	}

	/**
	 * Puts a middleware behind the application's others.
	 * @param name its name, in this chain once
	 * @param middleware the middleware
	 * @throws InvalidMiddlewareException if the name is blank or taken, or the
	 * application has started
	 */
	public void add(String name, M middleware) {
		insert((this.behind != null) ? find(this.behind) : this.links.size(), name, middleware);
	}

	/**
	 * Puts a middleware in front of the application's others.
	 * @param name its name, in this chain once
	 * @param middleware the middleware
	 * @throws InvalidMiddlewareException if the name is blank or taken, or the
	 * application has started
	 */
	public void prepend(String name, M middleware) {
		insert(find(this.before) + 1, name, middleware);
	}

	/**
	 * Puts a middleware in front of another, or of a step.
	 * @param existing the name of the other
	 * @param name its name, in this chain once
	 * @param middleware the middleware
	 * @throws InvalidMiddlewareException if there is no other of that name, if it is
	 * {@value #TRACE}, if the name is blank or taken, or the application has started
	 */
	public void insertBefore(String existing, String name, M middleware) {
		if (existing.equals(TRACE)) {
			throw new InvalidMiddlewareException(
					"Middleware '%s' cannot stand before 'trace', which everything else is part of: insert it after that."
						.formatted(name));
		}
		insert(find(existing), name, middleware);
	}

	/**
	 * Puts a middleware behind another, or a step.
	 * @param existing the name of the other
	 * @param name its name, in this chain once
	 * @param middleware the middleware
	 * @throws InvalidMiddlewareException if there is no other of that name, if the name
	 * is blank or taken, or the application has started
	 */
	public void insertAfter(String existing, String name, M middleware) {
		insert(find(existing) + 1, name, middleware);
	}

	/**
	 * Takes a middleware of the application's out.
	 * @param name its name
	 * @throws InvalidMiddlewareException if there is none of that name, if it is a step,
	 * or the application has started
	 */
	public void remove(String name) {
		change(name);
		int index = find(name);
		if (this.links.get(index).middleware() == null) {
			throw new InvalidMiddlewareException(
					"'%s' is no middleware of the application and cannot be removed: switch its feature off."
						.formatted(name));
		}
		this.links.remove(index);
	}

	/**
	 * What is in the chain.
	 * @return the names, in order, the steps among them
	 */
	public List<String> names() {
		return this.links.stream().map(Link::name).toList();
	}

	/** From now on it is used. */
	List<Link<M>> freeze() {
		this.frozen = true;
		return List.copyOf(this.links);
	}

	private void insert(int index, String name, M middleware) {
		change(name);
		Objects.requireNonNull(middleware, () -> "Middleware '" + name + "' is null");
		if (name.isBlank() || names().contains(name)) {
			throw new InvalidMiddlewareException(
					"The name '%s' of a middleware must not be blank, nor be in the chain already: %s.".formatted(name,
							names()));
		}
		this.links.add(index, new Link<>(name, middleware));
	}

	private void change(String name) {
		if (this.frozen) {
			throw new InvalidMiddlewareException(
					"Middleware '%s' comes too late: jobs pass the chain already. Change it from a customizer."
						.formatted(name));
		}
	}

	private int find(String name) {
		int index = names().indexOf(name);
		if (index < 0) {
			throw new InvalidMiddlewareException(
					"There is no middleware '%s' in the chain %s.".formatted(name, names()));
		}
		return index;
	}

	/**
	 * What stands in the chain.
	 *
	 * @param <M> the kind of middleware
	 * @param name its name
	 * @param middleware what it does; {@code null} for a step
	 */
	record Link<M>(String name, @Nullable M middleware) {
	}

}
