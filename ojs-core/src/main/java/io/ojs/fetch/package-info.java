/**
 * Workers that fetch jobs from the store instead of having the broker deliver them: those
 * of queues whose jobs the store delivers, and those that fetch over HTTP.
 */
@NullMarked
package io.ojs.fetch;

import org.jspecify.annotations.NullMarked;
