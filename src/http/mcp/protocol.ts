import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import {
  type CallToolRequest,
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  JSONRPCMessageSchema,
  ListToolsRequestSchema,
  McpError,
  RequestSchema,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js';
import { SERVICE_VERSION } from '../../platform/service-version.ts';

/**
 * The Model Context Protocol, by its SDK. It is loaded at the first message: it takes some 60 ms and 8 MB, which a
 * service without assistants does not spend.
 */

const INSTRUCTIONS =
  "Prices, tracking and invoices of one company's shipments, from its own contracts with carriers. Nothing here prints a label, books or cancels a shipment. Amounts are EUR before VAT, unless the name of a field states VAT. Times are UTC.";

/** The service validates arguments itself, so the SDK need not make a validator for each message. */
const NO_VALIDATOR = {
  getValidator: () => {
    throw new Error('The service asks nothing of assistants that needs a validator');
  },
};

interface ToolBox {
  readonly tools: readonly Tool[];
  /** @returns undefined for an unknown tool */
  call(name: string, given: Record<string, unknown>): Promise<CallToolResult> | undefined;
}

/** Answers one message. Each has its own server, because no session is kept: any process can answer the next one. */
export async function answerMessage(request: Request, message: unknown, { tools, call }: ToolBox): Promise<Response> {
  // The SDK has the code for a text that is not JSON.
  if (!JSONRPCMessageSchema.safeParse(message).success) {
    const error = {
      code: ErrorCode.InvalidRequest,
      message: 'Invalid Request: send one JSON-RPC message, not a batch',
    };
    return Response.json({ jsonrpc: '2.0', error, id: null }, { status: 400 });
  }
  const server = new Server(
    { name: 'shipping-integrations-api', title: 'Shipping Integrations API', version: SERVICE_VERSION },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS, jsonSchemaValidator: NO_VALIDATOR },
  );
  // The handlers check their parameters, because the SDK answers wrong ones as an internal error.
  server.setRequestHandler(ListToolsRequestSchema.extend({ params: RequestSchema.shape.params }), ({ params }) => {
    if (params?.cursor !== undefined) throw new McpError(ErrorCode.InvalidParams, 'The list of tools has one page');
    return { tools: [...tools] };
  });
  server.setRequestHandler(CallToolRequestSchema.extend({ params: RequestSchema.shape.params }), ({ params }) => {
    const { name, arguments: given = {} } = params as CallToolRequest['params'];
    const result = call(name, given);
    if (result === undefined) throw new McpError(ErrorCode.InvalidParams, `There is no tool ${name}`);
    return result;
  });
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  return transport.handleRequest(request, { parsedBody: message });
}
