/**
 * What an application calls to enqueue jobs.
 */
@NullMarked
package io.ojs.client;

import org.jspecify.annotations.NullMarked;
