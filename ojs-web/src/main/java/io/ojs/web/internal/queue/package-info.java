/**
 * Endpoints of queues. Not part of the API.
 */
@NullMarked
package io.ojs.web.internal.queue;

import org.jspecify.annotations.NullMarked;
