package io.ojs.web.internal;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.core.Ordered;
import org.springframework.http.server.RequestPath;
import org.springframework.web.servlet.handler.AbstractHandlerMapping;
import org.springframework.web.util.ServletRequestPathUtils;

/**
 * Maps all requests below {@code /ojs} to one handler. So a request without an endpoint
 * gets an OJS error, too, and what the application configures for its own controllers has
 * no effect.
 */
public final class OjsHandlerMapping extends AbstractHandlerMapping {

	private final OjsRequestHandler handler;

	public OjsHandlerMapping(OjsRequestHandler handler) {
		this.handler = handler;
		setOrder(Ordered.HIGHEST_PRECEDENCE + 100);
	}

	@Override
	protected @Nullable Object getHandlerInternal(HttpServletRequest request) {
		RequestPath path = ServletRequestPathUtils.hasParsedRequestPath(request)
				? ServletRequestPathUtils.getParsedRequestPath(request)
				: ServletRequestPathUtils.parseAndCache(request);
		return this.handler.handles(path.pathWithinApplication().value()) ? this.handler : null;
	}

}
