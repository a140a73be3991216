package io.ojs.middleware;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * The order in which middleware runs (OJS Middleware §5): the middleware of the
 * application, by name, and the steps of the library, whose order is fixed (OJS Extension
 * Interactions §14). Can be changed by one thread at the start of the application, and
 * not afterwards.
 *
 * @param <M> the kind of middleware
 */
public final class MiddlewareChain<M> {

	/** Begins the span of the job; always the first step. */
	public static final String TRACE = "trace";

	/** Sets the tenant of the job, or of the thread that works it. */
	public static final String TENANT = "tenant";

	/**
	 * Marks the place before which the middleware of the application changes jobs. Does
	 * nothing itself: rules are checked when the job is created, after each middleware,
	 * and when its bytes are read back.
	 */
	public static final String VALIDATE = "validate";

	/** Makes the key of a unique job, before the arguments are encrypted. */
	public static final String UNIQUE = "unique";

	/** Reads the rate limit. */
	public static final String RATE_LIMIT = "rate-limit";

	/** Encrypts the arguments. */
	public static final String ENCRYPT = "encrypt";

	/** Decrypts the arguments. */
	public static final String DECRYPT = "decrypt";

	private final List<Link<M>> links = new ArrayList<>();

	/** The step after which the middleware of the application is inserted by default. */
	private final String before;

	/** The step before which it is inserted; {@code null} for the end of the chain. */
	private final @Nullable String behind;

	private boolean frozen;

	private MiddlewareChain(List<String> steps, String before, @Nullable String behind) {
		steps.forEach((step) -> this.links.add(new Link<>(step, null)));
		this.before = before;
		this.behind = behind;
	}

	/**
	 * Creates the chain that each job passes before it is sent.
	 * @return {@value #TRACE}, {@value #TENANT}, {@value #VALIDATE}, {@value #UNIQUE},
	 * {@value #RATE_LIMIT}, {@value #ENCRYPT}; the middleware of the application comes
	 * after the second
	 */
	public static MiddlewareChain<EnqueueMiddleware> ofEnqueueing() {
		return new MiddlewareChain<>(List.of(TRACE, TENANT, VALIDATE, UNIQUE, RATE_LIMIT, ENCRYPT), TENANT, VALIDATE);
	}

	/**
	 * Creates the chain that wraps each attempt.
	 * @return {@value #TRACE}, {@value #DECRYPT}, {@value #TENANT}; the middleware of the
	 * application comes after the last
	 */
	public static MiddlewareChain<ExecutionMiddleware> ofExecution() {
		return new MiddlewareChain<>(List.of(TRACE, DECRYPT, TENANT), TENANT, null);
	}

	/**
	 * Adds a middleware after the others of the application.
	 * @param name its name, unique in this chain
	 * @param middleware the middleware
	 * @throws InvalidMiddlewareException if the name is blank or taken, or the
	 * application has started
	 */
	public void add(String name, M middleware) {
		insert((this.behind != null) ? find(this.behind) : this.links.size(), name, middleware);
	}

	/**
	 * Adds a middleware before the others of the application.
	 * @param name its name, unique in this chain
	 * @param middleware the middleware
	 * @throws InvalidMiddlewareException if the name is blank or taken, or the
	 * application has started
	 */
	public void prepend(String name, M middleware) {
		insert(find(this.before) + 1, name, middleware);
	}

	/**
	 * Inserts a middleware before another one or a step.
	 * @param existing the name of the other one
	 * @param name the name of the new one, unique in this chain
	 * @param middleware the middleware
	 * @throws InvalidMiddlewareException if {@code existing} is not in the chain or is
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
	 * Inserts a middleware after another one or a step.
	 * @param existing the name of the other one
	 * @param name the name of the new one, unique in this chain
	 * @param middleware the middleware
	 * @throws InvalidMiddlewareException if {@code existing} is not in the chain, if the
	 * name is blank or taken, or the application has started
	 */
	public void insertAfter(String existing, String name, M middleware) {
		insert(find(existing) + 1, name, middleware);
	}

	/**
	 * Removes a middleware of the application.
	 * @param name its name
	 * @throws InvalidMiddlewareException if the name is not in the chain or is a step, or
	 * the application has started
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
	 * The names of the middleware and the steps.
	 * @return the names, in order
	 */
	public List<String> names() {
		return this.links.stream().map(Link::name).toList();
	}

	/** Ends changes of the chain. */
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
	 * An element of the chain.
	 *
	 * @param <M> the kind of middleware
	 * @param name its name
	 * @param middleware the middleware; {@code null} for a step
	 */
	record Link<M>(String name, @Nullable M middleware) {
	}

}
