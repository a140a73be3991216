/**
 * The dashboard: serves pages that call the HTTP API.
 */
@NullMarked
package io.ojs.dashboard.internal;

import org.jspecify.annotations.NullMarked;
