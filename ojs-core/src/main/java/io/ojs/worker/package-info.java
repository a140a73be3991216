/**
 * Workers that fetch jobs from the store instead of having the broker deliver them.
 */
@NullMarked
package io.ojs.worker;

import org.jspecify.annotations.NullMarked;
