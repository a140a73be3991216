/**
 * Crons: jobs that are enqueued again and again, by the clock (OJS Cron).
 */
@NullMarked
package io.ojs.cron;

import org.jspecify.annotations.NullMarked;
