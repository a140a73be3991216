/**
 * Queues as things that operators create, configure, pause and delete (OJS Queue
 * Configuration), and the admission of jobs to them.
 */
@NullMarked
package io.ojs.queue.lifecycle;

import org.jspecify.annotations.NullMarked;
