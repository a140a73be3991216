package io.ojs.boot;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Dashboard, below /ojs/ui/.
 *
 * @param enabled Whether the application serves the dashboard; needs the module
 * ojs-dashboard and the OJS HTTP API.
 */
public record DashboardProperties(@DefaultValue("false") boolean enabled) {
}
