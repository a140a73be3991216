package io.ojs.middleware.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import io.ojs.middleware.EnqueueMiddleware;
import io.ojs.middleware.ExecutionMiddleware;
import io.ojs.middleware.InvalidMiddlewareException;
import io.ojs.middleware.MiddlewareChain;
import org.jspecify.annotations.Nullable;

/**
 * Middleware and steps in their order.
 *
 * @param <M> the kind of middleware
 */
public final class OrderedMiddleware<M> implements MiddlewareChain<M> {

	private final List<Link<M>> links = new ArrayList<>();

	/** The step after which the middleware of the application is inserted by default. */
	private final String before;

	/** The step before which it is inserted; {@code null} for the end of the chain. */
	private final @Nullable String behind;

	private boolean frozen;

	private OrderedMiddleware(List<String> steps, String before, @Nullable String behind) {
		steps.forEach((step) -> this.links.add(new Link<>(step, null)));
		this.before = before;
		this.behind = behind;
	}

	/**
	 * Creates the chain that each job passes before it is sent.
	 * @return {@value MiddlewareChain#TRACE}, {@value MiddlewareChain#TENANT},
	 * {@value MiddlewareChain#VALIDATE}, {@value MiddlewareChain#UNIQUE},
	 * {@value MiddlewareChain#RATE_LIMIT}, {@value MiddlewareChain#ENCRYPT}; the
	 * middleware of the application comes after the second
	 */
	public static OrderedMiddleware<EnqueueMiddleware> ofEnqueueing() {
		return new OrderedMiddleware<>(List.of(TRACE, TENANT, VALIDATE, UNIQUE, RATE_LIMIT, ENCRYPT), TENANT, VALIDATE);
	}

	/**
	 * Creates the chain that wraps each attempt.
	 * @return {@value MiddlewareChain#TRACE}, {@value MiddlewareChain#DECRYPT},
	 * {@value MiddlewareChain#TENANT}; the middleware of the application comes after the
	 * last
	 */
	public static OrderedMiddleware<ExecutionMiddleware> ofExecution() {
		return new OrderedMiddleware<>(List.of(TRACE, DECRYPT, TENANT), TENANT, null);
	}

	@Override
	public void add(String name, M middleware) {
		insert((this.behind != null) ? find(this.behind) : this.links.size(), name, middleware);
	}

	@Override
	public void prepend(String name, M middleware) {
		insert(find(this.before) + 1, name, middleware);
	}

	@Override
	public void insertBefore(String existing, String name, M middleware) {
		if (existing.equals(TRACE)) {
			throw new InvalidMiddlewareException(
					"Middleware '%s' cannot stand before 'trace', which everything else is part of: insert it after that."
						.formatted(name));
		}
		insert(find(existing), name, middleware);
	}

	@Override
	public void insertAfter(String existing, String name, M middleware) {
		insert(find(existing) + 1, name, middleware);
	}

	@Override
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

	@Override
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
