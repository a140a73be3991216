package io.ojs.web.internal.endpoint;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.ojs.internal.json.JsonObjects;
import io.ojs.web.Access;
import io.ojs.web.internal.Endpoints;
import io.ojs.web.internal.HttpResult;
import io.ojs.web.internal.Routes;
import org.jspecify.annotations.Nullable;

/**
 * The OpenAPI 3.1 description of the endpoints of this application.
 */
public final class OpenApiEndpoints implements Endpoints {

	/** The resource on the class path with the description of all endpoints. */
	public static final String DESCRIPTION = "/io/ojs/web/openapi.json";

	private static final String PATHS = "paths";

	private final Map<String, @Nullable Object> description = description();

	private static Map<String, @Nullable Object> description() {
		try (InputStream resource = OpenApiEndpoints.class.getResourceAsStream(DESCRIPTION)) {
			if (resource == null) {
				throw new IllegalStateException("There is no %s on the class path.".formatted(DESCRIPTION));
			}
			return new JsonObjects().read(resource.readAllBytes());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public void addTo(Routes routes) {
		routes.get("/openapi.json", Access.PUBLIC, (call) -> describe(routes));
	}

	/** Describes only the endpoints that this application has. */
	private HttpResult describe(Routes routes) {
		Set<String> there = routes.all()
			.stream()
			.map((route) -> route.method().toLowerCase(Locale.ROOT) + " " + route.path())
			.collect(Collectors.toSet());
		Map<String, @Nullable Object> paths = new LinkedHashMap<>();
		((Map<?, ?>) this.description.getOrDefault(PATHS, Map.of())).forEach((path, methods) -> {
			Map<Object, @Nullable Object> operations = new LinkedHashMap<>((Map<?, ?>) methods);
			operations.keySet().removeIf((method) -> !there.contains(method + " " + path));
			if (!operations.isEmpty()) {
				paths.put((String) path, operations);
			}
		});
		Map<String, @Nullable Object> body = new LinkedHashMap<>(this.description);
		body.put(PATHS, paths);
		return HttpResult.ok(body).header("Content-Type", "application/json");
	}

}
