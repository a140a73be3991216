/**
 * Crons: jobs that are enqueued again and again, by a schedule (OJS Cron).
 */
@NullMarked
package io.ojs.cron;

import org.jspecify.annotations.NullMarked;
