/**
 * The life of queues: operators create, configure, pause and delete them (OJS Queue
 * Configuration); and the admission of jobs to queues.
 */
@NullMarked
package io.ojs.queue.lifecycle;

import org.jspecify.annotations.NullMarked;
