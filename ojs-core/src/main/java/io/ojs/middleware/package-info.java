/**
 * Middleware of applications: for jobs that are being enqueued, and around handlers (OJS
 * Middleware).
 */
@NullMarked
package io.ojs.middleware;

import org.jspecify.annotations.NullMarked;
