package io.ojs.web;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.core.Ordered;
import org.springframework.http.server.RequestPath;
import org.springframework.web.servlet.handler.AbstractHandlerMapping;
import org.springframework.web.util.ServletRequestPathUtils;

/**
 * Leads all requests below {@code /ojs} to one handler, so that also those that nobody
 * can answer are answered in the words of OJS, and nothing that the application sets up
 * for its own controllers has a say in it.
 */
public final class OjsHandlerMapping extends AbstractHandlerMapping {

	private final OjsRequestHandler handler;

	/**
	 * Creates the mapping.
	 * @param handler answers the requests
	 */
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
