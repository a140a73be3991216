/**
 * The life of queues: operators create, configure, pause and delete them (OJS Queue
 * Configuration); and the admission of jobs to queues. Not part of the API.
 */
@NullMarked
package io.ojs.queue.internal.lifecycle;

import org.jspecify.annotations.NullMarked;
