package io.ojs.dashboard.internal;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.core.Ordered;
import org.springframework.web.servlet.handler.AbstractHandlerMapping;

/**
 * Maps requests below {@code /ojs/ui} to the dashboard, before the HTTP API takes all
 * others below {@code /ojs}.
 */
public final class DashboardHandlerMapping extends AbstractHandlerMapping {

	private final DashboardHandler handler;

	public DashboardHandlerMapping(DashboardHandler handler) {
		this.handler = handler;
		setOrder(Ordered.HIGHEST_PRECEDENCE + 99);
	}

	@Override
	protected @Nullable Object getHandlerInternal(HttpServletRequest request) {
		return DashboardHandler.handles(DashboardHandler.path(request)) ? this.handler : null;
	}

}
