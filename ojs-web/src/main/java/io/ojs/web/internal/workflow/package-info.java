/**
 * Endpoints of workflows. Not part of the API.
 */
@NullMarked
package io.ojs.web.internal.workflow;

import org.jspecify.annotations.NullMarked;
