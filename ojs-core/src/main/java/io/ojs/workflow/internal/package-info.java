/**
 * How workflows are planned, kept and advanced. Not part of the API.
 */
@NullMarked
package io.ojs.workflow.internal;

import org.jspecify.annotations.NullMarked;
