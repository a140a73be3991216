/**
 * Handlers of this process: how a method is called, and what its exception means for the
 * job. Not part of the API.
 */
@NullMarked
package io.ojs.handler.internal;

import org.jspecify.annotations.NullMarked;
